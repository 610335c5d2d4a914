/*
 * Copyright The Flamespan Authors
 * SPDX-License-Identifier: Apache-2.0
 */

#include "context_attachment.h"

#include <string.h>

#include "context_library.h"
#include "waiting.h"

#define LOOK_AGAIN_NS NS_PER_SECOND

bool context_attachment_look(pid_t pid, struct context_attachment *attachment) {
  static struct process_context latest;
  struct reason *reason = &attachment->reason;
  if (!process_context_read(pid, &latest, reason)) {
    attachment->attached = false;
    return false;
  }
  if (attachment->attached && latest.published_at_ns == attachment->context.published_at_ns) {
    return true;
  }
  attachment->context = latest;
  bool has_keys = context_keys_decode(attachment->context.payload, attachment->context.size,
                                      &attachment->keys, reason);
  attachment->attached =
      has_keys && (attachment->attached || context_library_find(pid, &attachment->library,
                                                                &attachment->variable, reason));
  attachment->ever_attached |= attachment->attached;
  return attachment->attached;
}

static void describe(const struct context_attachment *attachment, struct reason *text) {
  const struct tls_variable *variable = &attachment->variable;
  because(text, "reading thread contexts of %.300s, %s TLS, schema %s, %zu attribute keys",
          attachment->library.path, variable->dynamic ? "dynamic" : "static",
          attachment->keys.schema_version, attachment->keys.key_count);
}

void context_attachment_refresh(pid_t pid, struct context_attachment *attachment) {
  uint64_t now = now_ns();
  if (now < attachment->next_look_ns) {
    return;
  }
  attachment->next_look_ns = now + LOOK_AGAIN_NS;
  struct reason news;
  if (context_attachment_look(pid, attachment)) {
    describe(attachment, &news);
  } else {
    because(&news, "found no readable thread contexts, retrying each second: %.900s",
            attachment->reason.text);
  }
  if (strcmp(news.text, attachment->told.text) != 0) {
    say("%s", news.text);
    attachment->told = news;
  }
}
