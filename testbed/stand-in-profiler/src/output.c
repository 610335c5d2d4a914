/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "output.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

static bool open_file(FILE **file, const char *path, const char *mode, struct reason *reason) {
  if (path == NULL) {
    return true;
  }
  *file = fopen(path, mode);
  return *file != NULL || because(reason, "cannot write %s: %s", path, strerror(errno));
}

bool output_open(struct output *output, const char *records_path, const char *sent_path,
                 const char *stacks_path, struct reason *reason) {
  if (!open_file(&output->records, records_path, "we", reason) ||
      !open_file(&output->sent, sent_path, "we", reason) ||
      !open_file(&output->stacks, stacks_path, "ae", reason)) {
    return false;
  }
  /* Line buffering: if the stand-in is killed, the file lacks at most one sent message. */
  return output->sent == NULL || setvbuf(output->sent, NULL, _IOLBF, 0) == 0 ||
         because(reason, "cannot write %s line by line", sent_path);
}

static void elastic_record(FILE *out, const struct thread_sample *sample) {
  if (sample->pointer != 0 && sample->state != RECORD_UNREADABLE) {
    hex(out, &sample->record, sizeof sample->record);
  } else {
    putc('-', out);
  }
}

static void otel_record(FILE *out, const struct context_sample *sample) {
  if (context_has_record(sample)) {
    hex(out, &sample->record, sizeof sample->record);
    hex(out, sample->attributes, sample->attributes_size);
  } else {
    putc('-', out);
  }
}

void output_sample(struct output *output, enum protocol protocol, pid_t tid,
                   const struct thread_sample *sample) {
  FILE *out = output->records;
  if (out == NULL ||
      (sample->state != RECORD_TRACED && sample->context.state != RECORD_TRACED)) {
    return;
  }
  fprintf(out, "%d", tid);
  if (protocol & PROTOCOL_ELASTIC) {
    putc(' ', out);
    elastic_record(out, sample);
  }
  if (protocol & PROTOCOL_OTEL) {
    putc(' ', out);
    otel_record(out, &sample->context);
  }
  putc('\n', out);
}

void output_sent(struct output *output, const struct correlation_message *message) {
  if (output->sent == NULL) {
    return;
  }
  struct stack_id id;
  char id_text[STACK_ID_TEXT_SIZE];
  memcpy(id.bytes, message->stack_trace_id, sizeof id.bytes);
  stack_id_text(&id, id_text);
  hex(output->sent, message->trace_id, sizeof message->trace_id);
  putc(' ', output->sent);
  hex(output->sent, message->transaction_id, sizeof message->transaction_id);
  fprintf(output->sent, " %s\n", id_text);
}

static int compare_ids(const void *one, const void *other) {
  return memcmp(one, other, sizeof(struct stack_id));
}

static bool is_new(struct output *output, const struct stack_id *id) {
  if (tfind(id, &output->known, compare_ids) != NULL) {
    return false;
  }
  struct stack_id *copy = malloc(sizeof *copy);
  if (copy != NULL) {
    *copy = *id;
    tsearch(copy, &output->known, compare_ids);
  }
  return true; /* without memory, a stack may be in the file twice, but must not be missing */
}

void output_stack(struct output *output, const struct stack_id *id,
                  const struct java_stack *stack) {
  if (output->stacks == NULL || !is_new(output, id)) {
    return;
  }
  char id_text[STACK_ID_TEXT_SIZE];
  stack_id_text(id, id_text);
  fprintf(output->stacks, "{\"id\":\"%s\",\"frames\":[", id_text);
  for (size_t i = 0; i < stack->count; i++) {
    fputs(i == 0 ? "" : ",", output->stacks);
    json_string(output->stacks, stack->frames[i].name, stack->frames[i].length);
  }
  fputs("]}\n", output->stacks);
  fflush(output->stacks);
}

static bool close_file(FILE **file, const char *name, struct reason *reason) {
  if (*file == NULL) {
    return true;
  }
  bool failed = ferror(*file) != 0;
  failed |= fclose(*file) != 0;
  *file = NULL;
  return !failed || because(reason, "could not write the complete file of %s", name);
}

bool output_close(struct output *output, struct reason *reason) {
  bool done = close_file(&output->records, "records", reason);
  done &= close_file(&output->sent, "sent messages", reason);
  done &= close_file(&output->stacks, "stacks", reason);
  tdestroy(output->known, free);
  output->known = NULL;
  return done;
}
