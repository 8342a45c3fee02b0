/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/hot_key.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "samples/hot_table.h"

#define HOT_KEY(id, name, header, width, help) { name, header, width, help },
static const struct hot_key_info infos[HOT_KEYS] = {
#include "samples/hot_keys.def"
};
#undef HOT_KEY

const struct hot_key_info *hot_key_info(enum hot_key key)
{
	return &infos[key];
}

static void number_text(int number, char *buf, size_t size)
{
	if (number == HOT_MERGED_ID)
		text_copy(buf, size, HOT_MERGED);
	else if (number < 0)
		text_copy(buf, size, "-");
	else
		snprintf(buf, size, "%d", number);
}

/* NULL if the value is a number. */
static const char *value_name(const struct hot *hot, enum hot_key key,
			      const struct hot_value *value)
{
	switch (key) {
	case HOT_SYMBOL:
		return value->name;
	case HOT_DSO:
		return value->dso;
	case HOT_COMM:
		return value->comm;
	case HOT_EVENT:
		return value->event < hot->nr_events ?
		       hot->events[value->event] : NULL;
	case HOT_FIELD:
		return value->field;
	default:
		return NULL;
	}
}

char *hot_key_text(const struct hot *hot, enum hot_key key,
		   const struct hot_value *value, char *buf, size_t size)
{
	const char *name = value_name(hot, key, value);

	if (key == HOT_PID)
		number_text(value->pid, buf, size);
	else if (key == HOT_CPU)
		number_text(value->cpu, buf, size);
	else
		text_copy(buf, size, name && *name ? name : "-");
	return buf;
}

bool hot_key_match(const struct hot *hot, unsigned int keys,
		   const struct hot_value *value, const char *needle)
{
	char text[1024];

	for (unsigned int key = 0; key < HOT_KEYS; key++) {
		if (keys & 1u << key &&
		    strcasestr(hot_key_text(hot, (enum hot_key)key, value,
					    text, sizeof(text)), needle))
			return true;
	}
	return false;
}
