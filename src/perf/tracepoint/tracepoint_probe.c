/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint_probe.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf/tracepoint/tracepoint_check.h"

enum {
	NAME = 64,	/* MAX_ARG_NAME_LEN is 32 */
	ELEMENTS = 64,	/* MAX_ARRAY_LEN of the kernel */
	LOCATION = 4,	/* bytes of a __data_loc */
};

/* Text, and the value that follows it. */
struct piece {
	const char *text;
	size_t len;
	char conversion;	/* 'u', 'd', 'x', 'c', 's', 'S' of "%pS"; 0:
				 * the end */
	const struct tep_format_field *field;
	size_t index;		/* element of an array */
};

struct tracepoint_probe {
	struct tep_event *event;
	char *text;		/* unescaped */
	struct piece *pieces;
	size_t nr;
};

static const char print_fmt[] = "\nprint fmt: \"";

static bool is_probe(const char *format)
{
	return strstr(format, " __probe_ip;") ||
	       strstr(format, " __probe_func;") || strstr(format, "[];\t") ||
	       strstr(format, " char[][") || strstr(format, "'%c'");
}

/* The size of a type in bytes: 2 for "u16"; 0 for other forms. */
static unsigned int type_size(const char *type)
{
	unsigned int bits;

	if (sscanf(type, "%*1[us]%u", &bits) != 1)
		return 0;
	return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 :
								     0;
}

/* Write one "\tfield:" line, which has no newline. */
static void put_field(FILE *out, const char *line, int len)
{
	char type[NAME], name[NAME];
	unsigned int nr, offset, size;

	if (sscanf(line, "\tfield:%63s %63[^[][];\toffset:%u;\tsize:%u;", type,
		   name, &offset, &size) == 4 && type_size(type))
		fprintf(out, "\tfield:%s %s[%u];\toffset:%u;\tsize:%u;"
			"\tsigned:%d;\n", type, name, size / type_size(type),
			offset, size, type[0] == 's');
	else if (sscanf(line, "\tfield:__data_loc char[][%u] %63[^;];"
			"\toffset:%u;\tsize:%u;", &nr, name, &offset,
			&size) == 4 && nr <= ELEMENTS && size == nr * LOCATION)
		for (unsigned int i = 0; i < nr; i++)
			fprintf(out, "\tfield:__data_loc char[] %s_%u;"
				"\toffset:%u;\tsize:%d;\tsigned:1;\n", name, i,
				offset + i * LOCATION, LOCATION);
	else
		fprintf(out, "%.*s\n", len, line);
}

char *tracepoint_probe_format(const char *format, size_t len)
{
	char *copy = strndup(format, len), *end, *text = NULL;
	size_t size;
	FILE *out;

	end = copy ? strstr(copy, print_fmt) : NULL;
	out = end && is_probe(copy) ? open_memstream(&text, &size) : NULL;
	if (out) {
		char *rest = copy, *line;

		end[0] = '\0';
		while ((line = strsep(&rest, "\n")) != NULL)
			put_field(out, line, (int)strlen(line));
		fputs("print fmt: \"\"\n", out);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	free(copy);
	return text;
}

/*
 * The text from behind an opening quote to the closing one, for the caller to
 * free; *@end is set behind the closing one.
 */
static char *unescape(const char *from, const char **end)
{
	char *text = malloc(strlen(from) + 1), *to = text;

	if (!text)
		return NULL;
	for (; *from && *from != '"'; from++) {
		if (*from == '\\' && from[1])
			from++;
		*to++ = *from;
	}
	*to = '\0';
	*end = *from ? from + 1 : from;
	return text;
}

/* "REC->a", "REC->a[1]", "__get_str(a)", "__get_str(a[1])" */
static bool read_argument(const char **args, struct tep_event *event,
			  struct piece *piece)
{
	char name[NAME], element[NAME + 16];
	bool string, array;
	int n = 0, more = 0;

	string = sscanf(*args, ", __get_str(%63[a-zA-Z0-9_]%n", name, &n) == 1;
	if (!string && sscanf(*args, ", REC->%63[a-zA-Z0-9_]%n", name, &n) != 1)
		return false;
	array = sscanf(*args + n, "[%zu]%n", &piece->index, &more) == 1;
	*args += n + more;
	if (string && *(*args)++ != ')')
		return false;
	if (string && array) {
		snprintf(element, sizeof(element), "%s_%zu", name,
			 piece->index);
		piece->index = 0;
	} else {
		snprintf(element, sizeof(element), "%s", name);
	}
	piece->field = tep_find_any_field(event, element);
	return piece->field && string == (piece->conversion == 's') &&
	       (**args == ',' || **args == '\n' || !**args);
}

/*
 * The letter of "%u", "%d", "%Lu", "%lx", "%c", "%s" or "%pS" behind the '%',
 * which *@format moves past; '\0' for others.
 */
static char read_conversion(const char **format)
{
	char letter;

	*format += strspn(*format, "lLp");
	letter = **format;
	if (!letter || !strchr("udxcsS", letter))
		return '\0';
	(*format)++;
	return letter;
}

/*
 * put_string() writes the quotes around a string, since a string that could not
 * be read has none.
 */
static void take_quotes(struct piece *piece, const char **format)
{
	if (piece->conversion != 's' || !piece->len || **format != '"' ||
	    piece->text[piece->len - 1] != '"')
		return;
	piece->len--;
	(*format)++;
}

static bool read_pieces(struct tracepoint_probe *p, const char *args)
{
	const char *format = p->text;

	for (struct piece *piece = p->pieces;; piece++) {
		piece->text = format;
		piece->len = strcspn(format, "%");
		format += piece->len;
		p->nr++;
		if (!*format)
			return true;
		format++;
		piece->conversion = read_conversion(&format);
		if (!piece->conversion ||
		    !read_argument(&args, p->event, piece))
			return false;
		take_quotes(piece, &format);
	}
}

static size_t count_pieces(const char *format)
{
	size_t nr = 1;

	while ((format = strchr(format, '%')) != NULL) {
		format++;
		nr++;
	}
	return nr;
}

struct tracepoint_probe *tracepoint_probe_new(const char *format, size_t len,
					      struct tep_event *event)
{
	struct tracepoint_probe *p = calloc(1, sizeof(*p));
	char *copy = strndup(format, len), *start;
	const char *args = "";
	bool good = false;

	start = copy ? strstr(copy, print_fmt) : NULL;
	if (p && start) {
		p->event = event;
		p->text = unescape(start + strlen(print_fmt), &args);
	}
	if (p && p->text)
		p->pieces = calloc(count_pieces(p->text), sizeof(*p->pieces));
	if (p && p->pieces)
		good = read_pieces(p, args);
	free(copy);
	if (good)
		return p;
	tracepoint_probe_free(p);
	return NULL;
}

void tracepoint_probe_free(struct tracepoint_probe *probe)
{
	if (!probe)
		return;
	free(probe->pieces);
	free(probe->text);
	free(probe);
}

/* As the kernel: "(fault)" for a string that it could not read. */
static void put_string(struct trace_seq *seq, const struct piece *piece,
		       const char *data, size_t size)
{
	struct tracepoint_span span;

	if (!tracepoint_check_span(piece->field, data, size, &span) ||
	    !span.len)
		trace_seq_puts(seq, "(fault)");
	else
		trace_seq_printf(seq, "\"%.*s\"", (int)span.len,
				 data + span.start);
}

/* The value with its sign; 0 if it is not within the data. */
static uint64_t read_value(const struct piece *piece, const char *data,
			   size_t size)
{
	const struct tep_format_field *f = piece->field;
	size_t bytes = f->flags & TEP_FIELD_IS_ARRAY ?
			       (size_t)f->elementsize : (size_t)f->size;
	size_t start = (size_t)f->offset + piece->index * bytes;
	unsigned int unused;
	uint64_t value = 0;

	if (!bytes || bytes > sizeof(value) || start > size ||
	    bytes > size - start)
		return 0;
	if (tep_is_bigendian())
		memcpy((char *)&value + sizeof(value) - bytes, data + start,
		       bytes);
	else
		memcpy(&value, data + start, bytes);
	unused = (unsigned int)(sizeof(value) - bytes) * 8;
	if (f->flags & TEP_FIELD_IS_SIGNED)
		return (uint64_t)((int64_t)(value << unused) >> unused);
	return value;
}

/* "%pS" */
static void put_symbol(struct trace_seq *seq, struct tep_handle *tep,
		       uint64_t value)
{
	const char *name = tep_find_function(tep, value);
	uint64_t start = tep_find_function_address(tep, value);

	if (name)
		trace_seq_printf(seq, "%s+0x%llx", name,
				 (unsigned long long)(value - start));
	else
		trace_seq_printf(seq, "0x%llx", (unsigned long long)value);
}

static void put_value(struct trace_seq *seq, const struct piece *piece,
		      struct tep_handle *tep, uint64_t value)
{
	switch (piece->conversion) {
	case 'u':
		trace_seq_printf(seq, "%llu", (unsigned long long)value);
		break;
	case 'd':
		trace_seq_printf(seq, "%lld", (long long)value);
		break;
	case 'x':
		trace_seq_printf(seq, "%llx", (unsigned long long)value);
		break;
	case 'c':
		if (value)
			trace_seq_putc(seq, (unsigned char)value);
		break;
	case 'S':
		put_symbol(seq, tep, value);
		break;
	}
}

void tracepoint_probe_print(const struct tracepoint_probe *probe,
			    struct trace_seq *seq, const void *data,
			    size_t size)
{
	for (size_t i = 0; i < probe->nr; i++) {
		const struct piece *piece = &probe->pieces[i];

		trace_seq_printf(seq, "%.*s", (int)piece->len, piece->text);
		if (piece->conversion == 's')
			put_string(seq, piece, data, size);
		else if (piece->conversion)
			put_value(seq, piece, probe->event->tep,
				  read_value(piece, data, size));
	}
}
