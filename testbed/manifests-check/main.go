// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

// Command manifests-check finds mistakes in the container and Kubernetes files of the flame graphs
// example. It needs neither Docker nor a cluster.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

const (
	containers = "examples/flame-graphs/containers"
	kubernetes = "examples/flame-graphs/kubernetes"
	operator   = "examples/flame-graphs/operator"
)

func main() {
	root := flag.String("root", ".", "top `folder` of the repository")
	collector := flag.String("collector", "", "`program` of the collector, to validate its configuration")
	flag.Parse()
	if err := check(*root, *collector); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("Dockerfile, compose.yaml, Kubernetes manifests and Helm values: ok")
}

// check returns all problems as one error.
func check(root, collector string) error {
	images, err := readDockerfile(filepath.Join(root, containers, "Dockerfile"), root)
	if err != nil {
		return err
	}
	objects, err := buildKustomization(filepath.Join(root, kubernetes))
	if err != nil {
		return err
	}
	profiler, err := buildKustomization(filepath.Join(root, kubernetes, "profiler"))
	if err != nil {
		return err
	}
	objects = append(objects, profiler...)
	operated, err := buildKustomization(filepath.Join(root, operator))
	if err != nil {
		return err
	}
	return errors.Join(
		images.checkSources(),
		checkCompose(filepath.Join(root, containers, "compose.yaml"), images),
		checkReferences(objects, images),
		checkReferences(operated, images),
		checkInstrumentation(operated, images),
		checkProfilerValues(filepath.Join(root, kubernetes, "profiler-values.yaml"), objects),
		checkCollector(objects, images, collector),
	)
}
