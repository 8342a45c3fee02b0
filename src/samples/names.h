/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Strings that are kept once: symbols, files, comms.  Equal strings have equal
 * pointers, and a pointer stays valid until names_free().  So other threads
 * may read what they were handed, while only one adds.
 */
#ifndef RBTOP_SAMPLES_NAMES_H
#define RBTOP_SAMPLES_NAMES_H

#include <stddef.h>

struct names;

/* At most @limit bytes of memory for all of it.  NULL when out of memory. */
struct names *names_new(size_t limit);
void names_free(struct names *names);

/*
 * The kept copy of @text, sanitized, and cut to NAMES_MAX bytes.  Never NULL:
 * once the limit is reached or memory is short, what is not known yet becomes
 * NAMES_FULL.
 */
const char *names_add(struct names *names, const char *text);
#define NAMES_FULL "[names full]"
enum { NAMES_MAX = 8191 };

/*
 * Bytes in use, and the limit.  Once a name was refused that counts as reached,
 * however little was left.
 */
size_t names_bytes(const struct names *names);
size_t names_limit(const struct names *names);

#endif
