/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/openmetrics_put.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/unknown.h"
#include "ring/figures.h"

enum { LABEL_BUF = 512 };

/* Escape characters that would end the value or have another meaning. */
static void put_escaped(const char *text, bool quotes, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\n') {
			fputs("\\n", out);
			continue;
		}
		if (*text == '\\' || (quotes && *text == '"'))
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
	fputc(labels->any ? ',' : '{', labels->out);
	fputs(name, labels->out);
	fputs("=\"", labels->out);
	put_escaped(safe, true, labels->out);
	fputc('"', labels->out);
	labels->any = true;
}

void openmetrics_label_number(struct openmetrics_labels *labels,
			      const char *name, int64_t value)
{
	char text[TEXT_DIGITS];

	if (value < 0)
		return;
	text_count(text, (uint64_t)value);
	openmetrics_label(labels, name, text);
}

static const struct {
	const char *name, *prometheus;
	const char *suffix;	/* of sample names */
} types[] = {
	[OPENMETRICS_GAUGE] = { "gauge", "gauge", "" },
	[OPENMETRICS_COUNTER] = { "counter", "counter", "_total" },
	[OPENMETRICS_INFO] = { "info", "gauge", "_info" },
};

void openmetrics_head(const struct openmetrics_family *family,
		      const struct openmetrics_out *out)
{
	const char *suffix = out->prometheus ? types[family->type].suffix : "";

	fprintf(out->file, "# TYPE %s%s %s\n", family->name, suffix,
		out->prometheus ? types[family->type].prometheus :
				  types[family->type].name);
	if (*family->unit && !out->prometheus)
		fprintf(out->file, "# UNIT %s %s\n", family->name,
			family->unit);
	fprintf(out->file, "# HELP %s%s ", family->name, suffix);
	put_escaped(family->help, !out->prometheus, out->file);
	fputc('\n', out->file);
}

struct openmetrics_labels
openmetrics_begin(const struct openmetrics_family *family,
		  const struct openmetrics_out *out)
{
	fprintf(out->file, "%s%s", family->name, types[family->type].suffix);
	return (struct openmetrics_labels){ .out = out->file };
}

/* The separator between labels and value. */
static void end_labels(const struct openmetrics_labels *labels)
{
	fputs(labels->any ? "} " : " ", labels->out);
}

void openmetrics_end(struct openmetrics_labels *labels, uint64_t value)
{
	char text[TEXT_DIGITS];

	end_labels(labels);
	text_count(text, value);
	fputs(text, labels->out);
	fputc('\n', labels->out);
}

static bool write_count(uint64_t count, char *buf)
{
	text_count(buf, count);
	return count != UNKNOWN;
}

static bool write_number(double number, char *buf, size_t size)
{
	if (number == 0)
		text_copy(buf, size, "0"); /* most values */
	else
		snprintf(buf, size, "%.10g", number);
	return isfinite(number);
}

/* Format a value, in at least TEXT_DIGITS bytes; false if unknown. */
static bool read_value(const struct openmetrics_family *family,
		       const void *item, char *buf, size_t size)
{
	const char *field = (const char *)item + family->offset;
	unsigned int unsigned_value;
	enum figure figure;
	uint64_t count;
	double number;

	switch (family->field) {
	case OPENMETRICS_COUNT:
		memcpy(&count, field, sizeof(count));
		return write_count(count, buf);
	case OPENMETRICS_NUMBER:
		memcpy(&number, field, sizeof(number));
		return write_number(number, buf, size);
	case OPENMETRICS_TIME:
		memcpy(&number, field, sizeof(number));
		snprintf(buf, size, "%.3f", number);
		return true;
	case OPENMETRICS_FLAG:
		snprintf(buf, size, "%d", *(const bool *)field);
		return true;
	case OPENMETRICS_UNSIGNED:
		memcpy(&unsigned_value, field, sizeof(unsigned_value));
		snprintf(buf, size, "%u", unsigned_value);
		return true;
	case OPENMETRICS_ONE:
		snprintf(buf, size, "1");
		return true;
	case OPENMETRICS_FIGURE:
		figure = (enum figure)family->offset;
		return figure_info(figure)->kind == FIGURE_IS_NUMBER ?
			       write_number(figure_number(figure, item), buf,
					    size) :
			       write_count(figure_count(figure, item), buf);
	}
	return false;
}

/*
 * The labels of each item, "{a="b"} ": made once, as all families have the
 * same.  Free the array and its first element; NULL if out of memory.
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
		       const struct openmetrics_out *out)
{
	bool first = true;
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
		fputs(family->name, out->file);
		fputs(types[family->type].suffix, out->file);
		fputs(labels[i], out->file);
		fputs(value, out->file);
		fputc('\n', out->file);
	}
}

int openmetrics_put(const struct openmetrics_family *families, size_t nr,
		    const struct openmetrics_items *items,
		    const struct openmetrics_out *out)
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
