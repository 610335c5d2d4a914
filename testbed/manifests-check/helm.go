// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

const profilesGate = "--feature-gates=service.profilesSupport"

// profilerValues are the values of the chart opentelemetry-collector that depend on files of this
// repository.
type profilerValues struct {
	Image   struct{ Repository, Tag string }
	Command struct{ ExtraArgs []string }

	AlternateConfig struct {
		Exporters map[string]struct{ Endpoint string }
	}
}

// checkProfilerValues reports mistakes that can be found without the chart, which is not part of
// this repository.
func checkProfilerValues(path string, objects []runtime.Object) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var values profilerValues
	if err := yaml.Unmarshal(text, &values); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	problems := []error{checkImage(path, values.Image.Repository+":"+values.Image.Tag)}
	if !slices.Contains(values.Command.ExtraArgs, profilesGate) {
		problems = append(problems, fmt.Errorf("%s: command.extraArgs lacks %s", path, profilesGate))
	}
	if len(values.AlternateConfig.Exporters) == 0 {
		problems = append(problems, fmt.Errorf("%s: alternateConfig lacks exporters", path))
	}
	for name, exporter := range values.AlternateConfig.Exporters {
		if !isServed(exporter.Endpoint, objects) {
			problems = append(problems, fmt.Errorf("%s: exporter %s: no Service has the address %q", path, name, exporter.Endpoint))
		}
	}
	return errors.Join(problems...)
}

// isServed returns whether a Service has this address, SERVICE.NAMESPACE:PORT.
func isServed(address string, objects []runtime.Object) bool {
	host, port, _ := strings.Cut(address, ":")
	service, found := find(objects, func(s *corev1.Service) bool { return s.Name+"."+s.Namespace == host })
	return found && slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool {
		return fmt.Sprint(p.Port) == port
	})
}
