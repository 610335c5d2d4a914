// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// The prefix of the images that the Dockerfile builds; the name of the stage follows.
const ownImages = "flame-graphs/"

// checkReferences reports references to names and labels that do not exist.
func checkReferences(objects []runtime.Object, images dockerfile) error {
	var problems []error
	for _, work := range workloads(objects) {
		if !selects(work.selector, work.pod) {
			problems = append(problems, fmt.Errorf("%s: its selector does not match the labels of its pods", work.name))
		}
		problems = append(problems, checkVolumes(work, objects))
		for _, container := range work.containers() {
			problems = append(problems, checkContainer(work, container, images))
		}
	}
	for _, object := range objects {
		if service, ok := object.(*corev1.Service); ok {
			problems = append(problems, checkService(service, workloads(objects)))
		}
	}
	return errors.Join(problems...)
}

func selects(selector map[string]string, pod corev1.PodTemplateSpec) bool {
	return len(selector) > 0 && labels.SelectorFromSet(selector).Matches(labels.Set(pod.Labels))
}

func checkVolumes(work workload, objects []runtime.Object) error {
	var problems []error
	for _, volume := range work.pod.Spec.Volumes {
		if volume.ConfigMap == nil {
			continue
		}
		name := volume.ConfigMap.Name
		if _, found := find(objects, func(m *corev1.ConfigMap) bool { return m.Name == name }); !found {
			problems = append(problems, fmt.Errorf("%s: there is no ConfigMap %s", work.name, name))
		}
	}
	return errors.Join(problems...)
}

func checkContainer(work workload, container corev1.Container, images dockerfile) error {
	where := fmt.Sprintf("%s: container %s", work.name, container.Name)
	problems := []error{checkImage(where, container.Image)}
	if stage, own := strings.CutPrefix(container.Image, ownImages); own {
		stage, _, _ = strings.Cut(stage, ":")
		problems = append(problems, checkTarget(where, stage, images))
	}
	for _, mount := range container.VolumeMounts {
		named := func(v corev1.Volume) bool { return v.Name == mount.Name }
		if !slices.ContainsFunc(work.pod.Spec.Volumes, named) {
			problems = append(problems, fmt.Errorf("%s mounts the volume %s, which its pod does not have", where, mount.Name))
		}
	}
	return errors.Join(problems...)
}

func checkService(service *corev1.Service, all []workload) error {
	i := slices.IndexFunc(all, func(w workload) bool { return selects(service.Spec.Selector, w.pod) })
	if i < 0 {
		return fmt.Errorf("Service %s: its selector matches no pod", service.Name)
	}
	var problems []error
	for _, port := range service.Spec.Ports {
		if !hasPort(all[i], port.TargetPort) {
			problems = append(problems, fmt.Errorf("Service %s: %s has no port %s", service.Name, all[i].name, port.TargetPort.String()))
		}
	}
	return errors.Join(problems...)
}

func hasPort(work workload, wanted intstr.IntOrString) bool {
	for _, container := range work.pod.Spec.Containers {
		for _, port := range container.Ports {
			if wanted == intstr.FromString(port.Name) || wanted == intstr.FromInt32(port.ContainerPort) {
				return true
			}
		}
	}
	return false
}
