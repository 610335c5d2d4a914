// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
)

var javaVersion = regexp.MustCompile(`JAVA_VERSION="(\d+)`)

// installedJavas finds the JVMs that Linux distributions have installed, by major version.
func installedJavas() map[string]string {
	javas := map[string]string{}
	releases, _ := filepath.Glob("/usr/lib/jvm/*/release")
	for _, file := range releases {
		release, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if match := javaVersion.FindSubmatch(release); match != nil {
			javas[string(match[1])] = filepath.Join(filepath.Dir(file), "bin", "java")
		}
	}
	return javas
}
