/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "doctor/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/json_put.h"

/* Columns of the name and of the state, and where facts begin. */
enum { NAME = 12, STATE = 7, FACT = NAME + 2 + STATE + 2, LEAST = 12 };

/* Bytes of @text for a line of @width: up to a blank, if there is one. */
static size_t line_bytes(const char *text, int width)
{
	size_t most = text_prefix(text, width), at = most;

	if (!text[most] || !most)
		return strlen(text);
	while (at && text[at] != ' ')
		at--;
	return at ? at : most;
}

static void print_folded(const char *text, int columns, FILE *out)
{
	size_t len = strlen(text);
	int width = columns - FACT;

	if (width >= LEAST)
		len = line_bytes(text, width);
	fprintf(out, "%.*s\n", (int)len, text);
	for (text += len; *text; text += len) {
		text += *text == ' ';
		len = line_bytes(text, width);
		fprintf(out, "%*s%.*s\n", FACT, "", (int)len, text);
	}
}

void doctor_print_text(const struct doctor_item items[DOCTOR_ITEMS],
		       int columns, FILE *out)
{
	for (unsigned int i = 0; i < DOCTOR_ITEMS; i++) {
		fprintf(out, "%-*s  %-*s  ", NAME,
			doctor_name((enum doctor_id)i), STATE,
			doctor_state_name(items[i].state));
		print_folded(items[i].fact, columns, out);
		/* whole, to be copied */
		if (items[i].remedy[0])
			fprintf(out, "%*s%s\n", FACT, "", items[i].remedy);
	}
}

int doctor_print_json(const struct doctor_item items[DOCTOR_ITEMS], FILE *out)
{
	struct json_text text = { 0 };
	struct json_put top = json_put_begin(&text), list, item;

	json_put_count(&top, "version", 1);
	json_put_bool(&top, "starts", doctor_starts(items));
	list = json_put_array(&top, "items");
	for (unsigned int i = 0; i < DOCTOR_ITEMS; i++) {
		item = json_put_object(&list, NULL);
		json_put_text(&item, "name", doctor_name((enum doctor_id)i));
		json_put_text(&item, "state",
			      doctor_state_name(items[i].state));
		json_put_text(&item, "fact", items[i].fact);
		json_put_text_set(&item, "remedy", items[i].remedy);
		json_put_end(&item);
	}
	json_put_end(&list);
	json_put_end(&top);
	if (!text.failed)
		fprintf(out, "%.*s\n", (int)text.len, text.text);
	free(text.text);
	return text.failed ? -ENOMEM : 0;
}
