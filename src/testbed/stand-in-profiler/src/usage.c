/*
 * Copyright The OpenTelemetry Profiling Correlation Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "usage.h"

const char usage[] =
    "Plays the profiler of the profiling integration protocol, without root, by ptrace.\n"
    "\n"
    "  stand-in-profiler [OPTION]... -- COMMAND [ARGUMENT]...\n"
    "  stand-in-profiler [OPTION]... --pid N\n"
    "\n"
    "Where to look\n"
    "  --pid N              a running process instead of a command\n"
    "  --attach-timeout S   wait so long for the library to be loaded (60; with --show 0)\n"
    "  --retry-null         look again when the process storage is null (a real one gives up)\n"
    "  --show               print the library, storage and threads once as JSON; needs --pid\n"
    "  --protocol WHICH     elastic (default), otel or both: the records to read; otel sends nothing\n"
    "When to sample\n"
    "  --rate HZ            ticks per second (20); 0 is as fast as possible\n"
    "  --threads WHICH      on-cpu (default) or all\n"
    "  --thread-name PREFIX only threads with such a name; alone, it means all of them\n"
    "  --duration S         stop S seconds after the attach\n"
    "  --samples N          stop after N traced samples (with both: Elastic's, once thread\n"
    "                       contexts are read)\n"
    "  --expected FILE      compare with the span ids that the threads themselves write there\n"
    "What to send\n"
    "  --no-stacks          no thread dumps: the stack trace id stands for the program counter\n"
    "  --retry              send again later what did not fit into the receiver's queue\n"
    "  --no-registration    as the public profiler, which never sends the registration message\n"
    "  --samples-delay MS   of the registration message (500)\n"
    "  --host-id ID         of the registration message (empty)\n"
    "  --otlp URL           export all samples as OTLP profiles: http://HOST:PORT[/PATH]\n"
    "  --otlp-interval S    so often (5)\n"
    "What to write\n"
    "  --records FILE       a line per traced sample: thread id, record in hex\n"
    "  --sent FILE          a line per correlation message: trace id, transaction id, stack id\n"
    "  --stacks FILE        append a JSON line per new stack: id, frames\n"
    "  --summary FILE       JSON with all counters, at the end\n"
    "\n"
    "Exit status: that of COMMAND if it ended by itself, 0 if stopped, 1 on failure, 2 on wrong\n"
    "options.\n";
