// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// buildKustomization returns the objects that "kubectl apply -k" would send, decoded into the
// Kubernetes types. Unknown fields are errors.
func buildKustomization(folder string) ([]runtime.Object, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	scheme := runtime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), appsv1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	scheme.AddKnownTypeWithName(instrumentationKind, &instrumentation{})
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	var objects []runtime.Object
	var problems []error
	for _, resource := range built.Resources() {
		where := fmt.Sprintf("%s: %s %s", folder, resource.GetKind(), resource.GetName())
		text, err := resource.AsYAML()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		object, _, err := decoder.Decode(text, nil, nil)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", where, err))
			continue
		}
		objects = append(objects, object)
	}
	return objects, errors.Join(problems...)
}

// workload holds the parts that a Deployment and a DaemonSet have in common.
type workload struct {
	name     string
	selector map[string]string
	pod      corev1.PodTemplateSpec
}

func workloads(objects []runtime.Object) []workload {
	var result []workload
	for _, object := range objects {
		switch object := object.(type) {
		case *appsv1.Deployment:
			result = append(result, workload{"Deployment " + object.Name, object.Spec.Selector.MatchLabels, object.Spec.Template})
		case *appsv1.DaemonSet:
			result = append(result, workload{"DaemonSet " + object.Name, object.Spec.Selector.MatchLabels, object.Spec.Template})
		}
	}
	return result
}

func (w workload) containers() []corev1.Container {
	return append(append([]corev1.Container{}, w.pod.Spec.InitContainers...), w.pod.Spec.Containers...)
}

func find[T any](objects []runtime.Object, matches func(T) bool) (T, bool) {
	for _, object := range objects {
		if typed, ok := object.(T); ok && matches(typed) {
			return typed, true
		}
	}
	var none T
	return none, false
}
