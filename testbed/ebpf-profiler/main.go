// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

// Command ebpf-profiler runs Java applications with the plug-in under the unmodified OpenTelemetry
// eBPF profiler, receives what both export, and prints the measurements.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

type options struct {
	profiler, java, classpath, datadog string
	directory, only, logs              string
}

func (o options) socketDir() string { return filepath.Join(o.directory, "sockets") }

func main() {
	var o options
	flag.StringVar(&o.profiler, "profiler", "", "`script` that runs the profiler")
	flag.StringVar(&o.java, "java", "java", "`command` that runs the applications")
	flag.StringVar(&o.classpath, "classpath", "", "class `path` of the applications and the plug-in")
	flag.StringVar(&o.datadog, "datadog", "", "`jar` of Datadog's Java agent")
	flag.StringVar(&o.only, "only", "", "comma-separated `names` of the scenarios to run; see main.go")
	flag.StringVar(&o.logs, "logs", "", "`directory` for the output of the processes")
	flag.Parse()
	if err := scenarios(o); err != nil {
		fmt.Fprintf(os.Stderr, "interop: %v; see the output of the processes in %s\n", err, o.logs)
		os.Exit(2)
	}
}

type step struct {
	name string
	run  func() error
}

func scenarios(o options) error {
	err := emptyLogs(o.logs)
	if err != nil {
		return err
	}
	if o.directory, err = os.MkdirTemp("/tmp", "interop"); err != nil {
		return err
	}
	defer os.RemoveAll(o.directory)
	// An application that runs as another user must be able to read its class path.
	if err := os.Chmod(o.directory, 0o755); err != nil {
		return err
	}
	if o.classpath, err = copyClasspath(o.classpath, filepath.Join(o.directory, "lib")); err != nil {
		return err
	}
	receiver, err := startReceiver()
	if err != nil {
		return err
	}
	defer receiver.server.Stop()
	r := run{options: o, receiver: receiver, table: &table{}}
	steps := []step{
		{"process-context", r.processContext},
		{"application-first", r.applicationFirst},
		{"profiler-first", func() error { return r.with(20, r.profilerFirst) }},
		{"variants", func() error { return r.with(20, r.variants) }},
		{"redeploy", func() error { return r.with(20, r.redeploy) }},
		{"with-datadog", func() error { return r.with(20, r.withDatadog) }},
		{"killed", func() error { return r.with(20, r.killed) }},
		{"shares-20", func() error { return r.with(20, r.shares(20, "auto")) }},
		{"shares-200", func() error { return r.with(200, r.shares(200, "true")) }},
		{"links", r.links},
	}
	wanted := strings.FieldsFunc(o.only, func(c rune) bool { return c == ',' })
	for _, name := range wanted {
		if !slices.ContainsFunc(steps, func(s step) bool { return s.name == name }) {
			return fmt.Errorf("no scenario is called %s", name)
		}
	}
	for _, step := range steps {
		if len(wanted) > 0 && !slices.Contains(wanted, step.name) {
			continue
		}
		if err := step.run(); err != nil {
			return err
		}
	}
	if r.table.failed > 0 {
		return fmt.Errorf("%d checks failed", r.table.failed)
	}
	return nil
}

func copyClasspath(classpath, to string) (string, error) {
	if err := os.Mkdir(to, 0o755); err != nil {
		return "", err
	}
	for _, entry := range filepath.SplitList(classpath) {
		files, err := filepath.Glob(entry)
		if err != nil {
			return "", err
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), content, 0o644); err != nil {
				return "", err
			}
		}
	}
	return to + ":" + to + "/*", nil
}
