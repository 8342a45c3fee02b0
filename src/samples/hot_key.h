/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys that samples are grouped and selected by, and their values. */
#ifndef RBTOP_SAMPLES_HOT_KEY_H
#define RBTOP_SAMPLES_HOT_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "samples/symbol.h"

struct hot;

#define HOT_KEY(id, name, header, width, help) HOT_##id,
enum hot_key {
#include "samples/hot_keys.def"
	HOT_KEYS
};
#undef HOT_KEY
_Static_assert((int)HOT_KEYS <= 32, "each is a bit of an unsigned int");

struct hot_key_info {
	const char *name;	/* "symbol": in titles and the manual */
	const char *header;
	int width;		/* columns on screen */
	const char *help;
};
const struct hot_key_info *hot_key_info(enum hot_key key);

/*
 * The values of a row or of a struct hot_where; only those of its keys are set.
 * A symbol is identified by name, dso and kind, since its index may change.
 */
struct hot_value {
	uint32_t symbol;	/* index, in the struct hot queried */
	const char *name;	/* of the symbol */
	const char *dso;	/* of the symbol, or the dso itself */
	enum symbol_kind kind;
	const char *comm;
	const char *field;	/* of the struct hot queried, valid until that
				 * changes */
	uint32_t event;		/* index, which never changes */
	pid_t pid;
	int cpu;
};

/* Write the text of a value, "-" if it has none.  Returns @buf. */
char *hot_key_text(const struct hot *hot, enum hot_key key,
		   const struct hot_value *value, char *buf, size_t size);
/* Whether the text of any of @keys contains @needle, ignoring case. */
bool hot_key_match(const struct hot *hot, unsigned int keys,
		   const struct hot_value *value, const char *needle);

#endif
