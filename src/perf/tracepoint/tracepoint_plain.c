/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint_plain.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"

enum {
	WIDTH_MAX = 32,		/* of a number; wider ones: libtraceevent */
	STRING_MAX = 4096,	/* of a char array, likewise; MAX_STRING_SIZE of
				 * the kernel's probes */
	/* of probes */
	NAME = 64,		/* MAX_ARG_NAME_LEN is 32 */
	ELEMENTS = 64,		/* MAX_ARRAY_LEN of the kernel */
	LOCATION = 4,		/* bytes of a __data_loc */
};

/* The output of one conversion, or the text between two. */
struct piece {
	enum {
		TEXT_PIECE, NUMBER_PIECE, STRING_PIECE,
		/* of probes */
		CHAR_PIECE, SYMBOL_PIECE, QUOTED_PIECE,
	} kind;
	const char *text;	/* TEXT_PIECE: of the print format */
	size_t offset, size;	/* of the value; text has no offset */
	const struct tep_format_field *field;	/* QUOTED_PIECE */
	/* of numbers */
	unsigned int bits, base, width;
	bool is_signed, upper, zeros, prefix;
	bool extend;		/* the value to 64 bits, by its sign */
};

struct tracepoint_plain {
	struct tep_event *event;
	char *text;		/* of a probe: the print format, unescaped */
	size_t need;		/* the least size of a record in bytes */
	bool dynamic;		/* fields refer to data behind it */
	size_t nr;
	struct piece pieces[];
};

/* Raise the need to the end of the fields.  False if one cannot be. */
static bool measure(struct tracepoint_plain *plain,
		    const struct tep_format_field *field)
{
	for (; field; field = field->next) {
		if (field->offset < 0 || field->size < 0)
			return false;
		plain->dynamic |= field->flags & TEP_FIELD_IS_DYNAMIC;
		plain->need = MAX(plain->need, (size_t)field->offset +
					       (size_t)field->size);
	}
	return true;
}

/* A text before each conversion, and one behind the last one. */
static size_t max_pieces(const char *format)
{
	size_t nr = 1;

	while ((format = strchr(format, '%')) != NULL) {
		nr += 2;
		format++;
	}
	return nr;
}

/* Without pieces, but with room for those of @format. */
static struct tracepoint_plain *new_plain(struct tep_event *event,
					  const char *format)
{
	struct tracepoint_plain *plain =
		calloc(1, sizeof(*plain) +
			  max_pieces(format) * sizeof(plain->pieces[0]));

	if (!plain)
		return NULL;
	plain->event = event;
	if (measure(plain, event->format.common_fields) &&
	    measure(plain, event->format.fields))
		return plain;
	free(plain);
	return NULL;
}

void tracepoint_plain_free(struct tracepoint_plain *plain)
{
	if (plain)
		free(plain->text);
	free(plain);
}

/* The value of @size bytes at @index of @field. */
static bool set_place(struct piece *piece, const struct tep_format_field *field,
		      size_t size, uint64_t index)
{
	if (!tracepoint_check_is_number(size) ||
	    index >= (size_t)field->size / size)
		return false;
	piece->size = size;
	piece->offset = (size_t)field->offset + index * size;
	return true;
}

static struct tep_format_field *field_of(struct tep_event *event,
					 const struct tep_print_arg *arg)
{
	if (arg->type != TEP_PRINT_FIELD || !arg->field.name)
		return NULL;
	return tep_find_any_field(event, arg->field.name);
}

/* Remove casts to 64-bit types, in which everything is computed anyway. */
static const struct tep_print_arg *cast_away(const struct tep_print_arg *arg)
{
	static const char *const wide[] = {
		"unsigned long long", "long long", "u64", "s64",
#if __SIZEOF_LONG__ == 8
		"unsigned long", "long",
#endif
	};

	for (size_t i = 0; i < sizeof(wide) / sizeof(*wide); i++)
		if (arg->type == TEP_PRINT_TYPE &&
		    !strcmp(arg->typecast.type, wide[i]))
			return cast_away(arg->typecast.item);
	return arg;
}

/* array[N] */
static bool find_element(struct tep_event *event,
			 const struct tep_print_arg *arg, struct piece *piece)
{
	const struct tep_print_arg *index = arg->op.right;
	const struct tep_format_field *field = field_of(event, arg->op.left);

	return !strcmp(arg->op.op, "[") && index->type == TEP_PRINT_ATOM &&
	       field && set_place(piece, field, field->elementsize,
				  strtoull(index->atom.atom, NULL, 0));
}

static bool find_number(struct tep_event *event,
			const struct tep_print_arg *arg, struct piece *piece)
{
	const struct tep_format_field *field;

	arg = cast_away(arg);
	if (arg->type == TEP_PRINT_OP)
		return find_element(event, arg, piece);
	field = field_of(event, arg);
	return field && set_place(piece, field, (size_t)field->size, 0);
}

static bool find_string(struct tep_event *event,
			const struct tep_print_arg *arg, struct piece *piece)
{
	const struct tep_format_field *field = field_of(event, arg);

	if (!field || !(field->flags & TEP_FIELD_IS_ARRAY) ||
	    !(field->flags & TEP_FIELD_IS_STRING) || !field->size ||
	    field->size > STRING_MAX)
		return false;
	piece->kind = STRING_PIECE;
	piece->offset = (size_t)field->offset;
	piece->size = (size_t)field->size;
	return true;
}

/* The bits of the type for "hh", "l" etc. at *@format, which moves past it. */
static unsigned int read_length(const char **format)
{
	static const struct {
		const char *text;
		unsigned int bits;
	} lengths[] = {
		{ "hh", 8 }, { "h", 16 }, { "ll", 64 },
		{ "l", 8 * sizeof(long) }, { "z", 8 * sizeof(size_t) },
	};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		if (text_skip(format, lengths[i].text))
			return lengths[i].bits;
	}
	return 8 * sizeof(int);
}

/* From behind the '%' up to the letter, where *@format is left. */
static bool read_flags(const char **format, struct piece *piece)
{
	const char *at = *format;

	for (; *at == '0' || *at == '#'; at++) {
		piece->zeros |= *at == '0';
		piece->prefix |= *at == '#';
	}
	for (; isdigit((unsigned char)*at); at++) {
		piece->width = piece->width * 10 + (unsigned int)(*at - '0');
		if (piece->width > WIDTH_MAX)
			return false;
	}
	piece->bits = read_length(&at);
	*format = at;
	return true;
}

/* The conversion of @arg at *@format, which moves past it. */
static bool read_conversion(struct tep_event *event, const char **format,
			    const struct tep_print_arg *arg,
			    struct piece *piece)
{
	if (**format == 's') {
		++*format;
		return find_string(event, arg, piece);
	}
	piece->kind = NUMBER_PIECE;
	if (!read_flags(format, piece))
		return false;
	switch (*(*format)++) {
	case 'd':
	case 'i':
		piece->is_signed = true;
		/* fall through */
	case 'u':
		piece->base = 10;
		return !piece->prefix && find_number(event, arg, piece);
	case 'X':
		piece->upper = true;
		/* fall through */
	case 'x':
		piece->base = 16;
		return find_number(event, arg, piece);
	default:
		return false;
	}
}

/*
 * The text up to the next conversion.  False if it has escapes or bytes that
 * would have to be sanitized.
 */
static bool read_text(const char **format, struct piece *piece)
{
	const char *at = *format;

	piece->kind = TEXT_PIECE;
	piece->text = at;
	while (*at && *at != '%') {
		if (*at < 0x20 || *at >= 0x7f || *at == '\\')
			return false;
		at++;
	}
	piece->size = (size_t)(at - *format);
	*format = at;
	return true;
}

static bool read_pieces(struct tracepoint_plain *plain,
			struct tep_event *event)
{
	const struct tep_print_arg *arg = event->print_fmt.args;
	const char *format = event->print_fmt.format;

	while (*format) {
		struct piece *piece = &plain->pieces[plain->nr++];

		if (*format != '%') {
			if (!read_text(&format, piece))
				return false;
			continue;
		}
		if (*++format == '%') {
			piece->text = format++;
			piece->size = 1;
			continue;
		}
		if (!arg || !read_conversion(event, &format, arg, piece))
			return false;
		arg = arg->next;
	}
	return !arg;
}

struct tracepoint_plain *tracepoint_plain_new(struct tep_event *event)
{
	const char *format = event->print_fmt.format;
	struct tracepoint_plain *plain =
		event->flags || !format ? NULL : new_plain(event, format);

	if (plain && !plain->dynamic && read_pieces(plain, event))
		return plain;
	tracepoint_plain_free(plain);
	return NULL;
}

/*
 * Probes: their print formats are simple (kernel/trace/trace_probe.c,
 * __set_print_fmt()), but libtraceevent (1.7) supports neither their arrays nor
 * "%c".
 */
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
	char name[NAME], element[NAME + 32];
	const struct tep_format_field *field;
	bool string, array;
	size_t index = 0;
	int n = 0, more = 0;

	string = sscanf(*args, ", __get_str(%63[a-zA-Z0-9_]%n", name, &n) == 1;
	if (!string && sscanf(*args, ", REC->%63[a-zA-Z0-9_]%n", name, &n) != 1)
		return false;
	array = sscanf(*args + n, "[%zu]%n", &index, &more) == 1;
	*args += n + more;
	if (string && *(*args)++ != ')')
		return false;
	snprintf(element, sizeof(element), string && array ? "%s_%zu" : "%s",
		 name, index);
	field = tep_find_any_field(event, element);
	if (!field || string != (piece->kind == QUOTED_PIECE) ||
	    (**args != ',' && **args != '\n' && **args))
		return false;
	piece->field = field;
	piece->extend = field->flags & TEP_FIELD_IS_SIGNED;
	return string || set_place(piece, field,
				   field->flags & TEP_FIELD_IS_ARRAY ?
					   field->elementsize :
					   (size_t)field->size, index);
}

/* "u", "d", "Lu", "lx", "c", "s" or "pS" at *@format, which moves past it. */
static bool read_probe_conversion(const char **format, struct piece *piece)
{
	*format += strspn(*format, "lLp");
	piece->kind = NUMBER_PIECE;
	piece->bits = 64;
	piece->base = **format == 'x' ? 16 : 10;
	piece->is_signed = **format == 'd';
	switch (*(*format)++) {
	case 'u':
	case 'd':
	case 'x':
		return true;
	case 'c':
		piece->kind = CHAR_PIECE;
		return true;
	case 's':
		piece->kind = QUOTED_PIECE;
		return true;
	case 'S':
		piece->kind = SYMBOL_PIECE;
		return true;
	default:
		return false;
	}
}

/*
 * put_quoted() writes the quotes around a string, since a string that could not
 * be read has none.
 */
static void take_quotes(struct piece *before, const char **format)
{
	if (**format != '"' || before->kind != TEXT_PIECE || !before->size ||
	    before->text[before->size - 1] != '"')
		return;
	before->size--;
	(*format)++;
}

static bool read_probe(struct tracepoint_plain *plain, const char *args)
{
	const char *format = plain->text;

	while (*format) {
		struct piece *piece = &plain->pieces[plain->nr++];

		if (*format != '%') {
			if (!read_text(&format, piece))
				return false;
			continue;
		}
		format++;
		if (!read_probe_conversion(&format, piece) ||
		    !read_argument(&args, plain->event, piece))
			return false;
		if (piece->kind == QUOTED_PIECE && plain->nr > 1)
			take_quotes(piece - 1, &format);
	}
	return true;
}

struct tracepoint_plain *tracepoint_probe_new(const char *format, size_t len,
					      struct tep_event *event)
{
	char *copy = strndup(format, len), *start, *text = NULL;
	struct tracepoint_plain *plain = NULL;
	const char *args = "";

	start = copy ? strstr(copy, print_fmt) : NULL;
	if (start)
		text = unescape(start + strlen(print_fmt), &args);
	if (text)
		plain = new_plain(event, text);
	if (!plain)
		free(text);
	else
		plain->text = text;
	if (plain && !read_probe(plain, args)) {
		tracepoint_plain_free(plain);
		plain = NULL;
	}
	free(copy);
	return plain;
}

/* The rest of the buffer, without the terminating NUL. */
struct room {
	char *at, *end;
};

static void put_bytes(struct room *room, const char *bytes, size_t len)
{
	len = MIN(len, (size_t)(room->end - room->at));
	/* faster than memcpy() for a few bytes */
	while (len--)
		*room->at++ = *bytes++;
}

static void put_padding(struct room *room, char c, size_t len)
{
	len = MIN(len, (size_t)(room->end - room->at));
	while (len--)
		*room->at++ = c;
}

/* The value in the width of the conversion's type; *@negative is its sign. */
static uint64_t number_of(const struct piece *piece, const char *data,
			  bool *negative)
{
	uint64_t number = tracepoint_check_number(data + piece->offset,
						  piece->size);
	unsigned int unused = 64 - (unsigned int)piece->size * 8;

	if (piece->extend)
		number = (uint64_t)((int64_t)(number << unused) >> unused);
	unused = 64 - piece->bits;
	number <<= unused;
	*negative = piece->is_signed && number >> 63;
	if (*negative)
		number = -number;
	return number >> unused;
}

static const char *sign_of(const struct piece *piece, bool negative,
			   uint64_t number)
{
	if (negative)
		return "-";
	if (!piece->prefix || !number)
		return "";
	return piece->upper ? "0X" : "0x";
}

static void put_number(struct room *room, const struct piece *piece,
		       const char *data)
{
	char buf[TEXT_DIGITS];
	bool negative;
	uint64_t number = number_of(piece, data, &negative);
	const char *sign = sign_of(piece, negative, number);
	char *digits = text_digits(buf, number, piece->base);
	size_t len = (size_t)(buf + sizeof(buf) - 1 - digits);
	size_t used = len + strlen(sign);
	size_t padding = piece->width > used ? piece->width - used : 0;

	if (!piece->zeros)
		put_padding(room, ' ', padding);
	put_bytes(room, sign, used - len);
	if (piece->zeros)
		put_padding(room, '0', padding);
	for (size_t i = 0; piece->upper && i < len; i++)
		digits[i] = (char)toupper((unsigned char)digits[i]);
	put_bytes(room, digits, len);
}

/* @size bytes, up to the first NUL, if there is one. */
static void put_string(struct room *room, const char *bytes, size_t size)
{
	size_t left = (size_t)(room->end - room->at);
	char text[STRING_MAX + 1];
	size_t len = strnlen(bytes, MIN(size, STRING_MAX));

	memcpy(text, bytes, len);
	text[len] = '\0';
	text_copy(room->at, left + 1, text);
	room->at += strlen(room->at);
	/* after a character that did not fit, nothing else is written */
	if (len > left)
		room->end = room->at;
}

/* As the kernel: "(fault)" for a string that it could not read. */
static void put_quoted(struct room *room, const struct piece *piece,
		       const char *data, size_t size)
{
	static const char fault[] = "(fault)";
	struct tracepoint_span span;

	if (!tracepoint_check_span(piece->field, data, size, &span) ||
	    !span.len) {
		put_bytes(room, fault, strlen(fault));
		return;
	}
	put_bytes(room, "\"", 1);
	put_string(room, data + span.start, span.len);
	put_bytes(room, "\"", 1);
}

/* "%pS" */
static void put_symbol(struct room *room, struct tep_handle *tep, uint64_t addr)
{
	const char *name = tep_find_function(tep, addr);
	char buf[TEXT_DIGITS];

	if (name) {
		addr -= tep_find_function_address(tep, addr);
		put_string(room, name, strlen(name));
		put_bytes(room, "+", 1);
	}
	put_bytes(room, "0x", 2);
	name = text_digits(buf, addr, 16);
	put_bytes(room, name, strlen(name));
}

static void put_piece(struct room *room, const struct tracepoint_plain *plain,
		      const struct piece *piece, const char *data, size_t size)
{
	bool negative;
	char c;

	switch (piece->kind) {
	case TEXT_PIECE:
		put_bytes(room, piece->text, piece->size);
		break;
	case NUMBER_PIECE:
		put_number(room, piece, data);
		break;
	case STRING_PIECE:
		put_string(room, data + piece->offset, piece->size);
		break;
	case CHAR_PIECE:
		c = (char)number_of(piece, data, &negative);
		put_string(room, &c, 1);
		break;
	case SYMBOL_PIECE:
		put_symbol(room, plain->event->tep,
			   number_of(piece, data, &negative));
		break;
	case QUOTED_PIECE:
		put_quoted(room, piece, data, size);
		break;
	}
}

bool tracepoint_plain_print(const struct tracepoint_plain *plain,
			    const void *data, size_t size, char *buf,
			    size_t len)
{
	struct room room = { buf, buf + len - 1 };

	*buf = '\0';
	if (size < plain->need ||
	    (plain->dynamic && !tracepoint_check(plain->event, data, size)))
		return false;
	for (size_t i = 0; i < plain->nr; i++)
		put_piece(&room, plain, &plain->pieces[i], data, size);
	*room.at = '\0';
	return true;
}
