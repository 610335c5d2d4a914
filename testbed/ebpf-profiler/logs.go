// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// emptyLogs creates the directory for the output of processes, and deletes output of an earlier
// run.
func emptyLogs(directory string) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	for _, file := range logs(directory) {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return nil
}

// nextLog returns the path of the file for the output of the next process.
func nextLog(directory, kind string) string {
	number := len(logs(directory)) + 1
	return filepath.Join(directory, fmt.Sprintf("%03d-%s.log", number, kind))
}

func logs(directory string) []string {
	files, _ := filepath.Glob(filepath.Join(directory, "[0-9]*-*.log"))
	return files
}
