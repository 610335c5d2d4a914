/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include <stdlib.h>
#include <sys/resource.h>

#include "session.h"
#include "waiting.h"

/* A stopped thread also waits while we wait for a processor. */
#define PREFERRED_NICENESS (-10)

static bool start(struct session *session) {
  const struct options *options = &session->options;
  if (!output_open(&session->output, options->records_path, options->sent_path,
                   options->stacks_path, &session->reason)) {
    return false;
  }
  if (options->otlp_url != NULL &&
      !exporter_start(&session->profiles.exporter, options->otlp_url, options->otlp_interval,
                      &session->reason)) {
    return false;
  }
  if (options->command == NULL) {
    return target_open(&session->target, options->pid, &session->reason);
  }
  if (!target_start(&session->target, options->command, &session->reason)) {
    return false;
  }
  session->tracer.child = session->target.pid;
  return true;
}

/* Stops the command that we have started, and returns our exit status. */
static int finish(struct session *session, enum ending ending) {
  int status = EXIT_SUCCESS;
  exporter_close(&session->profiles.exporter, session->profiles.moved_on, &session->tracer);
  if (ending == ENDING_FAILED) {
    say("%s", session->reason.text);
    status = EXIT_FAILURE;
  }
  if (ending == ENDING_TARGET_ENDED) {
    status = target_exit_status(&session->target);
  } else {
    target_stop(&session->target, &session->tracer);
  }
  if (!output_close(&session->output, &session->reason)) {
    say("%s", session->reason.text);
    status = EXIT_FAILURE;
  }
  if (!session->options.show &&
      !summary_write(&session->summary, session->options.summary_path, &session->reason)) {
    say("%s", session->reason.text);
    status = EXIT_FAILURE;
  }
  return status;
}

int main(int argc, char **argv) {
  static struct session session;
  options_parse(argc, argv, &session.options);
  waiting_init();
  srand48((long)now_ns());
  session.messages.counters = &session.counters;
  session.messages.output = &session.output;
  session.summary.attachment = &session.attachment;
  session.summary.counters = &session.counters;
  session.summary.tracer = &session.tracer;
  session.summary.contexts = reads_otel(&session) ? &session.contexts : NULL;
  session.summary.context_counters = &session.context_counters;
  session.summary.exporter = &session.profiles.exporter;
  session.summary.compared = session.options.protocol == PROTOCOL_BOTH;
  if (!start(&session)) {
    say("%s", session.reason.text);
    return EXIT_FAILURE;
  }
  /* Needs a privilege; without it, pauses are longer. COMMAND does not inherit the priority. */
  setpriority(PRIO_PROCESS, 0, PREFERRED_NICENESS);
  return finish(&session, session_run(&session));
}
