// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const collectorStage = "collector"

// checkCollector lets the collector validate the configuration in its ConfigMap, with the
// environment and the arguments of its image.
func checkCollector(objects []runtime.Object, images dockerfile, binary string) error {
	if binary == "" {
		return nil
	}
	arguments, environment, err := startOf(images.stage(collectorStage))
	if err != nil {
		return fmt.Errorf("%s: stage %s: %w", images.path, collectorStage, err)
	}
	i := slices.Index(arguments, "--config") + 1
	if i == 0 || i == len(arguments) {
		return fmt.Errorf("%s: stage %s: its ENTRYPOINT has no --config FILE", images.path, collectorStage)
	}
	text, err := mountedFile(objects, arguments[i])
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "manifests-check")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	arguments[i] = filepath.Join(folder, "config.yaml")
	if err := os.WriteFile(arguments[i], []byte(text), 0o600); err != nil {
		return err
	}
	command := exec.Command(binary, append([]string{"validate"}, arguments[1:]...)...)
	command.Env = append(os.Environ(), environment...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("the collector's configuration: %w\n%s", err, output)
	}
	return nil
}

// startOf returns the ENTRYPOINT and the ENV of a stage.
func startOf(stage *instructions.Stage) (arguments, environment []string, err error) {
	if stage == nil {
		return nil, nil, errors.New("the Dockerfile does not contain this stage")
	}
	for _, command := range stage.Commands {
		switch command := command.(type) {
		case *instructions.EntrypointCommand:
			arguments = slices.Clone(command.CmdLine)
		case *instructions.EnvCommand:
			for _, variable := range command.Env {
				environment = append(environment, variable.String())
			}
		}
	}
	return arguments, environment, nil
}

// mountedFile returns the content of a file that a ConfigMap provides to the collector's container.
func mountedFile(objects []runtime.Object, path string) (string, error) {
	for _, work := range workloads(objects) {
		for _, volume := range work.pod.Spec.Volumes {
			if volume.ConfigMap == nil {
				continue
			}
			config, _ := find(objects, func(m *corev1.ConfigMap) bool { return m.Name == volume.ConfigMap.Name })
			for _, mount := range work.pod.Spec.Containers[0].VolumeMounts {
				if mount.Name == volume.Name && mount.MountPath == filepath.Dir(path) && config != nil {
					if text, found := config.Data[filepath.Base(path)]; found {
						return text, nil
					}
				}
			}
		}
	}
	return "", fmt.Errorf("no container mounts %s from a ConfigMap", path)
}
