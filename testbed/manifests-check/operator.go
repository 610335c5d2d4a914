// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const injectJava = "instrumentation.opentelemetry.io/inject-java"

var instrumentationKind = schema.GroupVersionKind{Group: "opentelemetry.io", Version: "v1alpha1", Kind: "Instrumentation"}

// instrumentation has the fields of the OpenTelemetry Operator's resource that a manifest of this
// repository uses, with the names and types of its schema (0.158.0).
type instrumentation struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Exporter struct {
			Endpoint string `json:"endpoint"`
		} `json:"exporter"`
		Java struct {
			Env        []corev1.EnvVar `json:"env"`
			Extensions []struct {
				Image string `json:"image"`
				Dir   string `json:"dir"`
			} `json:"extensions"`
		} `json:"java"`
	} `json:"spec"`
}

func (i *instrumentation) DeepCopyObject() runtime.Object {
	copied := *i
	return &copied
}

// checkInstrumentation reports extensions that the operator could not copy, and resources without
// effect.
func checkInstrumentation(objects []runtime.Object, images dockerfile) error {
	resource, found := find(objects, func(*instrumentation) bool { return true })
	if !found {
		return errors.New("there is no Instrumentation")
	}
	where := "Instrumentation " + resource.Name
	var problems []error
	for _, extension := range resource.Spec.Java.Extensions {
		problems = append(problems, checkExtension(where, extension.Image, extension.Dir, images))
	}
	address := strings.TrimPrefix(resource.Spec.Exporter.Endpoint, "http://")
	host, port, _ := strings.Cut(address, ":")
	if !isServed(host+"."+resource.Namespace+":"+port, objects) {
		problems = append(problems, fmt.Errorf("%s: no Service has the address %q", where, address))
	}
	for _, work := range workloads(objects) {
		if work.pod.Annotations[injectJava] == "true" {
			return errors.Join(problems...)
		}
	}
	return errors.Join(append(problems, fmt.Errorf("%s: no pod has the annotation %s", where, injectJava))...)
}

// checkExtension requires a folder whose jars are all extensions: the agent loads each jar in it.
func checkExtension(where, image, folder string, images dockerfile) error {
	name, _, _ := strings.Cut(strings.TrimPrefix(image, ownImages), ":")
	if err := errors.Join(checkImage(where, image), checkTarget(where, name, images)); err != nil {
		return err
	}
	copies := 0
	for _, command := range images.stage(name).Commands {
		copied, ok := command.(*instructions.CopyCommand)
		if !ok || strings.TrimSuffix(copied.DestPath, "/") != folder {
			continue
		}
		copies++
		for _, source := range copied.SourcePaths {
			if strings.Contains(source, "javaagent") {
				return fmt.Errorf("%s: the folder %s of %s brings an agent, too", where, folder, image)
			}
		}
	}
	if copies == 0 {
		return fmt.Errorf("%s: the image has no folder %s", where, folder)
	}
	return nil
}
