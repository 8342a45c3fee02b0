/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/openmetrics_put.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/reading.h"

enum { LABEL_BUF = 512 };

/* Quotes, backslashes and line feeds, as label values and HELP have them. */
static void put_escaped(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\n') {
			fputs("\\n", out);
			continue;
		}
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

void openmetrics_label(struct openmetrics_labels *labels, const char *name,
		       const char *value)
{
	char safe[LABEL_BUF];

	if (!*value)
		return;
	text_copy(safe, sizeof(safe), value);
	fprintf(labels->out, "%c%s=\"", labels->any ? ',' : '{', name);
	put_escaped(safe, labels->out);
	fputc('"', labels->out);
	labels->any = true;
}

void openmetrics_label_number(struct openmetrics_labels *labels,
			      const char *name, int64_t value)
{
	char text[24];

	if (value < 0)
		return;
	snprintf(text, sizeof(text), "%" PRId64, value);
	openmetrics_label(labels, name, text);
}

void openmetrics_head(const struct openmetrics_family *family, FILE *out)
{
	fprintf(out, "# TYPE %s %s\n", family->name,
		family->type == OPENMETRICS_COUNTER ? "counter" : "gauge");
	if (*family->unit)
		fprintf(out, "# UNIT %s %s\n", family->name, family->unit);
	fprintf(out, "# HELP %s ", family->name);
	put_escaped(family->help, out);
	fputc('\n', out);
}

struct openmetrics_labels
openmetrics_begin(const struct openmetrics_family *family, FILE *out)
{
	fprintf(out, "%s%s", family->name,
		family->type == OPENMETRICS_COUNTER ? "_total" : "");
	return (struct openmetrics_labels){ .out = out };
}

/* Between the labels and the value. */
static void end_labels(const struct openmetrics_labels *labels)
{
	fputs(labels->any ? "} " : " ", labels->out);
}

void openmetrics_end(struct openmetrics_labels *labels, uint64_t value)
{
	end_labels(labels);
	fprintf(labels->out, "%" PRIu64 "\n", value);
}

/* A value as text; false: it is unknown. */
static bool read_value(const struct openmetrics_family *family,
		       const void *item, char *buf, size_t size)
{
	const char *field = (const char *)item + family->offset;
	unsigned int unsigned_value;
	uint64_t count;
	double number;

	switch (family->field) {
	case OPENMETRICS_COUNT:
		memcpy(&count, field, sizeof(count));
		snprintf(buf, size, "%" PRIu64, count);
		return count != READING_UNKNOWN;
	case OPENMETRICS_NUMBER:
		memcpy(&number, field, sizeof(number));
		snprintf(buf, size, "%.10g", number);
		return isfinite(number);
	case OPENMETRICS_FLAG:
		snprintf(buf, size, "%d", *(const bool *)field);
		return true;
	case OPENMETRICS_UNSIGNED:
		memcpy(&unsigned_value, field, sizeof(unsigned_value));
		snprintf(buf, size, "%u", unsigned_value);
		return true;
	}
	return false;
}

/*
 * The labels of each item, "{a="b"} ": every family has them, so they are made
 * once.  To be freed with what it points to; NULL without memory.
 */
static char **make_labels(const struct openmetrics_items *items)
{
	char **texts = calloc(items->nr + 1, sizeof(*texts)), *all = NULL;
	size_t size;
	FILE *out = texts ? open_memstream(&all, &size) : NULL;

	for (size_t i = 0; out && i < items->nr; i++) {
		struct openmetrics_labels labels = { .out = out };

		if (items->labels)
			items->labels(&labels, (const char *)items->first +
						       i * items->stride);
		end_labels(&labels);
		fputc('\0', out);
	}
	if (!out || fclose(out) != 0) {
		free(all);
		free(texts);
		return NULL;
	}
	texts[0] = all;
	for (size_t i = 1; i < items->nr; i++)
		texts[i] = texts[i - 1] + strlen(texts[i - 1]) + 1;
	return texts;
}

static void put_family(const struct openmetrics_family *family,
		       const struct openmetrics_items *items, char **labels,
		       FILE *out)
{
	bool counter = family->type == OPENMETRICS_COUNTER, first = true;
	char value[32];

	for (size_t i = 0; i < items->nr; i++) {
		const void *item = (const char *)items->first +
				   i * items->stride;

		if ((items->has && !items->has(family, item)) ||
		    !read_value(family, item, value, sizeof(value)))
			continue;
		if (first)
			openmetrics_head(family, out);
		first = false;
		fputs(family->name, out);
		fputs(counter ? "_total" : "", out);
		fputs(labels[i], out);
		fputs(value, out);
		fputc('\n', out);
	}
}

int openmetrics_put(const struct openmetrics_family *families, size_t nr,
		    const struct openmetrics_items *items, FILE *out)
{
	char **labels = make_labels(items);

	if (!labels)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++)
		put_family(&families[i], items, labels, out);
	free(labels[0]);
	free(labels);
	return 0;
}
