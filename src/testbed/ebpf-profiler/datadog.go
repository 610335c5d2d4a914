// Copyright The OpenTelemetry Profiling Correlation Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// besideDatadog: an app in whose process Datadog's Java agent came first. As its profiler is on, it
// publishes a process context and defines the symbol of thread contexts.
func (r *run) besideDatadog(p *profiler) error {
	a, err := r.start(app{service: "beside-datadog", threads: 1, cpuMillis: 20,
		settings: []string{
			"-javaagent:" + r.options.datadog,
			"-Ddd.profiling.enabled=true", "-Ddd.profiling.start-force-first=true",
			"-Ddd.trace.agent.url=http://127.0.0.1:9", // where nobody listens
			"-Ddd.telemetry.enabled=false", "-Ddd.remote_config.enabled=false",
		}})
	if err != nil {
		return err
	}
	seen := r.observe(a.service, a.on, 6*time.Second)
	context, err := publishedBy(a)
	did := a.stop()
	if err != nil {
		return err
	}
	if err := p.failure(); err != nil {
		return err
	}
	s := shareOf(a.service, a, r.receiver, p, seen)
	r.table.row("beside Datadog's agent: exported share of messages", s.String(), s.acceptable())
	received, once := exactlyOnce(r.receiver.ofService(a.service))
	r.table.row("  transactions done, received",
		fmt.Sprintf("%d, %d", did, received), did == received && once)
	off, warnings := a.said()
	r.table.row("  lines that our thread contexts are off, warnings of ours",
		fmt.Sprintf("%d, %d", off, len(warnings)), off == 1 && len(warnings) == 0)
	r.table.row("  process contexts, and which SDK published the first",
		fmt.Sprintf("%d, %s", context.mappings, context.sdk),
		context.mappings == 1 && context.sdk == "dd-trace-java")
	return nil
}
