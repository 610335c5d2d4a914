// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// checkCompose reads the file as "docker compose" does, including the schema check, and compares it
// with the Dockerfile.
func checkCompose(path string, images dockerfile) error {
	options, err := cli.NewProjectOptions([]string{path}, cli.WithProfiles([]string{"*"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var problems []error
	for name, service := range project.Services {
		where := fmt.Sprintf("%s: service %s", path, name)
		problems = append(problems, checkImage(where, service.Image), checkBuild(where, service.Build, images))
	}
	return errors.Join(problems...)
}

func checkBuild(where string, build *types.BuildConfig, images dockerfile) error {
	if build == nil {
		return nil
	}
	return errors.Join(
		checkTarget(where, build.Target, images),
		samePath(where+": build.context", build.Context, images.context),
		samePath(where+": build.dockerfile", filepath.Join(build.Context, build.Dockerfile), images.path),
	)
}

func checkTarget(where, target string, images dockerfile) error {
	if images.stage(target) == nil {
		return fmt.Errorf("%s: %q is not a stage of %s", where, target, images.path)
	}
	return nil
}

func samePath(where, path, expected string) error {
	absolute, err := filepath.Abs(expected)
	if err != nil {
		return err
	}
	if path != absolute {
		return fmt.Errorf("%s is %s: it must be %s", where, path, absolute)
	}
	return nil
}
