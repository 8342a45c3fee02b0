/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings that are stored once: symbols, files, comms.  Equal strings have
 * equal pointers, which are valid until names_free().  One thread adds; other
 * threads may read the strings that they got.
 */
#ifndef RBTOP_SAMPLES_NAMES_H
#define RBTOP_SAMPLES_NAMES_H

#include <stddef.h>

struct names;

/* Uses at most @limit bytes of memory.  NULL when out of memory. */
struct names *names_new(size_t limit);
void names_free(struct names *names);

/*
 * The stored copy of @text, sanitized and cut to NAMES_MAX bytes.  Never NULL:
 * when the limit is reached or memory is short, a new name becomes NAMES_FULL.
 */
const char *names_add(struct names *names, const char *text);
#define NAMES_FULL "[names full]"
enum { NAMES_MAX = 8191 };

/*
 * Bytes in use, and the limit.  Once a name was refused, names_bytes() returns
 * the limit, although some bytes may be free.
 */
size_t names_bytes(const struct names *names);
size_t names_limit(const struct names *names);

#endif
