/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/narrow.h"

#include <stdio.h>
#include <string.h>

bool narrow_add(struct hot_query *query, unsigned int keys,
		const struct hot_value *value, bool anywhere)
{
	/* a function's file goes without saying */
	if (keys & 1u << HOT_SYMBOL)
		keys &= ~(1u << HOT_DSO);
	if (query->nr_where + (unsigned int)__builtin_popcount(keys) >
	    HOT_WHERES)
		return false;
	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (!(keys & 1u << key))
			continue;
		query->where[query->nr_where++] = (struct hot_where){
			.key = (enum hot_key)key,
			.value = *value,
			.anywhere = anywhere &&
				    (key == HOT_SYMBOL || key == HOT_DSO),
		};
	}
	return true;
}

/* Some values need a word to say what they are. */
static const char *word_of(const struct hot_where *where)
{
	switch ((int)where->key) {
	case HOT_COMM:
		return "comm ";
	case HOT_PID:
		return "pid ";
	case HOT_CPU:
		return "CPU ";
	case HOT_FIELD:
		return "field ";
	default:
		return where->anywhere ? "through " : "";
	}
}

char *narrow_text(const struct hot *hot, const struct hot_query *query,
		  const char *separator, char *buf, size_t size)
{
	char one[160];
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned int i = 0; i < query->nr_where && len < size; i++) {
		const struct hot_where *w = &query->where[i];

		hot_value_text(hot, w->key, &w->value, one, sizeof(one));
		len += (size_t)snprintf(buf + len, size - len, "%s%s%s",
					i ? separator : "", word_of(w), one);
	}
	return buf;
}

const char *narrow_no_chains(const struct frame *frame)
{
	return !strcmp(frame->source, "sim") ?
		"no callchains: simulate them with chain=DEPTH" :
		"no callchains: start rbtop with -g";
}
