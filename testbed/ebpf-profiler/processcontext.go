// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/ebpf-profiler/libpf"
	"go.opentelemetry.io/ebpf-profiler/processcontext"
	"go.opentelemetry.io/ebpf-profiler/remotememory"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
)

const maxMappingPages = 2 // the limit of other validators

// published is the process context of a process, decoded by the profiler's package.
type published struct {
	mappings, pages int
	service, sdk    string
	schema          string
	keys            []string
}

// processContext: the profiler's package decodes the process context of an app.
func (r *run) processContext() error {
	a, err := r.start(app{service: "in-process-context", threads: 1, cpuMillis: 20,
		settings: []string{"-D" + property + "thread.context.attributes=http.route,tenant"}})
	if err != nil {
		return err
	}
	defer a.stop()
	context, err := publishedBy(a)
	if err != nil {
		return err
	}
	r.table.row("process context: pages mapped", fmt.Sprint(context.pages),
		context.pages <= maxMappingPages)
	r.table.row("process context: service.name", context.service, context.service == a.service)
	r.table.row("process context: threadlocal.schema_version", context.schema,
		context.schema == "tlsdesc_v1_dev")
	r.table.row("process context: threadlocal.attribute_key_map", strings.Join(context.keys, " "),
		slices.Equal(context.keys, []string{"datadog.local_root_span_id", "http.route", "tenant"}))
	return nil
}

// publishedBy waits for the process context of an app and reads the first one found.
func publishedBy(a *runningApp) (published, error) {
	var mappings []contextMapping
	var err error
	within(patience, func() bool {
		mappings, err = contextMappings(a.process.pid())
		return err != nil || len(mappings) > 0
	})
	if err != nil {
		return published{}, err
	}
	if len(mappings) == 0 {
		return published{}, fmt.Errorf("%s has no process context", a.service)
	}
	memory := remotememory.NewProcessVirtualMemory(libpf.PID(a.process.pid()))
	info, err := processcontext.Read(mappings[0].address, memory, 0, 0)
	if err != nil {
		return published{}, fmt.Errorf("the process context of %s: %w", a.service, err)
	}
	resource := info.Context.GetResource().GetAttributes()
	return published{
		mappings: len(mappings),
		pages:    mappings[0].pages,
		service:  text(resource, "service.name"),
		sdk:      text(resource, "telemetry.sdk.name"),
		schema:   text(info.Context.GetAttributes(), "threadlocal.schema_version"),
		keys:     texts(info.Context.GetAttributes(), "threadlocal.attribute_key_map"),
	}, nil
}

// contextMapping is the mapping of a process context.
type contextMapping struct {
	address libpf.Address
	pages   int
}

func contextMappings(pid int) ([]contextMapping, error) {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	defer maps.Close()
	var mappings []contextMapping
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		fields := strings.SplitN(lines.Text(), " ", 6)
		name := strings.TrimSpace(fields[len(fields)-1])
		if !processcontext.IsContextMapping(strings.Contains(fields[1], "x"), name) {
			continue
		}
		from, to, _ := strings.Cut(fields[0], "-")
		begin, err := strconv.ParseUint(from, 16, 64)
		if err != nil {
			return nil, err
		}
		end, err := strconv.ParseUint(to, 16, 64)
		if err != nil {
			return nil, err
		}
		mappings = append(mappings,
			contextMapping{libpf.Address(begin), int(end-begin) / os.Getpagesize()})
	}
	return mappings, nil
}

func text(attributes []*commonpb.KeyValue, key string) string {
	for _, attribute := range attributes {
		if attribute.GetKey() == key {
			return attribute.GetValue().GetStringValue()
		}
	}
	return ""
}

func texts(attributes []*commonpb.KeyValue, key string) []string {
	var values []string
	for _, attribute := range attributes {
		if attribute.GetKey() == key {
			for _, value := range attribute.GetValue().GetArrayValue().GetValues() {
				values = append(values, value.GetStringValue())
			}
		}
	}
	return values
}
