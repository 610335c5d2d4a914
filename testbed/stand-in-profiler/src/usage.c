/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "usage.h"

const char usage[] =
    "Acts as the profiler of the profiling integration protocol: uses ptrace, needs no root.\n"
    "\n"
    "  stand-in-profiler [OPTION]... -- COMMAND [ARGUMENT]...\n"
    "  stand-in-profiler [OPTION]... --pid N\n"
    "\n"
    "Target\n"
    "  --pid N              a running process instead of a command\n"
    "  --attach-timeout S   wait up to S seconds until the library is loaded (60; with --show 0)\n"
    "  --retry-null         retry while the process storage is null (a real profiler gives up)\n"
    "  --show               print the library, storage and threads once as JSON; needs --pid\n"
    "  --protocol WHICH     records to read: elastic (default), otel or both; otel sends nothing\n"
    "Sampling\n"
    "  --rate HZ            ticks per second (20); 0 means as fast as possible\n"
    "  --threads WHICH      on-cpu (default): running threads; all: also waiting threads\n"
    "  --thread-name PREFIX only threads with such names; implies all unless --threads is given\n"
    "  --duration S         stop S seconds after the attach\n"
    "  --samples N          stop after N traced samples (with both: by Elastic's record, counted\n"
    "                       once thread contexts are readable)\n"
    "  --expected FILE      compare samples with the span ids that the threads write into FILE\n"
    "Messages and exports\n"
    "  --no-stacks          take no thread dumps; stack trace ids are hashes of program counters\n"
    "  --retry              resend messages that did not fit into the receiver's queue\n"
    "  --no-registration    send no registration message, like the public profiler\n"
    "  --samples-delay MS   samples delay in the registration message (500)\n"
    "  --host-id ID         host id in the registration message (empty)\n"
    "  --otlp URL           export all samples as OTLP profiles: http://HOST:PORT[/PATH]\n"
    "  --otlp-interval S    seconds between exports (5)\n"
    "Output\n"
    "  --records FILE       one line per traced sample: thread id, record in hex\n"
    "  --sent FILE          one line per correlation message: trace id, transaction id, stack id\n"
    "  --stacks FILE        append one JSON line per new stack: id, frames\n"
    "  --summary FILE       all counters as JSON, written at the end\n"
    "\n"
    "Exit status: that of COMMAND if it ended by itself, 0 if stopped, 1 on failure, 2 on invalid\n"
    "options.\n";
