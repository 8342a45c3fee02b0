/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What samples are grouped by and narrowed to: the keys, and their values. */
#ifndef RBTOP_SAMPLES_HOT_KEY_H
#define RBTOP_SAMPLES_HOT_KEY_H

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
 * The values of a row or a narrowing; only those of its keys are set.  A
 * symbol is name, dso and kind, so that a narrowing outlives its index.
 */
struct hot_value {
	uint32_t symbol;	/* index, in the hot that was asked */
	const char *name;	/* of the symbol */
	const char *dso;	/* of the symbol, or the one grouped by */
	enum symbol_kind kind;
	const char *comm;
	const char *field;	/* of the hot that was asked, for as long as
				 * that does not change */
	uint32_t event;		/* index, which never changes */
	pid_t pid;
	int cpu;
};

/* The text of a value, "-" for none.  Returns @buf. */
char *hot_key_text(const struct hot *hot, enum hot_key key,
		   const struct hot_value *value, char *buf, size_t size);

#endif
