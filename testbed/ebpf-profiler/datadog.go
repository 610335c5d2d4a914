// Copyright The Flamespan Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"
)

// withDatadog: an app under Datadog's Java agent, which starts before the plug-in. With its
// profiler on, the agent publishes a process context and defines the symbol of thread contexts.
func (r *run) withDatadog(p *profiler) error {
	a, err := r.start(app{service: "with-datadog", threads: 1, cpuMillis: 20,
		settings: []string{
			"-javaagent:" + r.options.datadog,
			"-Ddd.profiling.enabled=true", "-Ddd.profiling.start-force-first=true",
			"-Ddd.trace.agent.url=http://127.0.0.1:9", // nothing listens there
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
	r.table.row("with Datadog's agent: exported share of messages", s.String(), s.acceptable())
	received, once := exactlyOnce(r.receiver.ofService(a.service))
	r.table.row("  transactions done, received",
		fmt.Sprintf("%d, %d", did, received), did == received && once)
	off, warnings := a.said()
	r.table.row("  our log lines about thread contexts being off, our warnings",
		fmt.Sprintf("%d, %d", off, len(warnings)), off == 1 && len(warnings) == 0)
	r.table.row("  process contexts, and the SDK that published the first",
		fmt.Sprintf("%d, %s", context.mappings, context.sdk),
		context.mappings == 1 && context.sdk == "dd-trace-java")
	return nil
}
