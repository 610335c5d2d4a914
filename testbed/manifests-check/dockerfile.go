// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// dockerfile is a parsed Dockerfile, and the folder that its COPY instructions copy from.
type dockerfile struct {
	path    string
	context string
	stages  []instructions.Stage
}

// readDockerfile also fails on warnings of BuildKit's linter.
func readDockerfile(path, context string) (dockerfile, error) {
	file, err := os.Open(path)
	if err != nil {
		return dockerfile{}, err
	}
	defer file.Close()
	tree, err := parser.Parse(file)
	if err != nil {
		return dockerfile{}, fmt.Errorf("%s: %w", path, err)
	}
	var warnings []error
	lint := linter.New(&linter.Config{
		Warn: func(rule, _, _, message string, location []parser.Range) {
			warnings = append(warnings, fmt.Errorf("%s:%d: %s: %s", path, location[0].Start.Line, rule, message))
		},
	})
	stages, _, err := instructions.Parse(tree.AST, lint)
	if err != nil {
		return dockerfile{}, fmt.Errorf("%s: %w", path, err)
	}
	return dockerfile{path, context, stages}, errors.Join(warnings...)
}

// stage returns the stage of this name, or nil.
func (d dockerfile) stage(name string) *instructions.Stage {
	for i := range d.stages {
		if d.stages[i].Name == name {
			return &d.stages[i]
		}
	}
	return nil
}

// checkSources reports base stages and COPY sources that do not exist.
func (d dockerfile) checkSources() error {
	var problems []error
	earlier := dockerfile{path: d.path}
	for _, stage := range d.stages {
		if earlier.stage(stage.BaseName) == nil {
			problems = append(problems, checkImage(d.path, stage.BaseName))
		}
		for _, command := range stage.Commands {
			if copied, ok := command.(*instructions.CopyCommand); ok {
				problems = append(problems, d.checkCopy(copied, earlier))
			}
		}
		earlier.stages = append(earlier.stages, stage)
	}
	return errors.Join(problems...)
}

func (d dockerfile) checkCopy(copied *instructions.CopyCommand, earlier dockerfile) error {
	line := copied.Location()[0].Start.Line
	if copied.From != "" {
		if earlier.stage(copied.From) == nil {
			return fmt.Errorf("%s:%d: COPY --from=%s is not the name of an earlier stage", d.path, line, copied.From)
		}
		return nil
	}
	var problems []error
	for _, source := range copied.SourcePaths {
		found, err := filepath.Glob(filepath.Join(d.context, source))
		if err != nil || len(found) == 0 {
			problems = append(problems, fmt.Errorf("%s:%d: COPY %s: no such file in %s", d.path, line, source, d.context))
		}
	}
	return errors.Join(problems...)
}

// checkImage requires a version: "latest" may be another image tomorrow.
func checkImage(where, image string) error {
	name := image[strings.LastIndex(image, "/")+1:]
	_, tag, tagged := strings.Cut(name, ":")
	if !tagged || tag == "" || tag == "latest" {
		return fmt.Errorf("%s: image %q has no version: add a tag other than latest", where, image)
	}
	return nil
}
