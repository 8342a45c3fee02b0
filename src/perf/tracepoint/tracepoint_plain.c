/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "perf/tracepoint/tracepoint_plain.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"
#include "perf/tracepoint/tracepoint_check.h"

enum {
	WIDTH_MAX = 32,		/* of a number; wider ones: libtraceevent */
	STRING_MAX = 256,	/* of a char array, likewise */
};

/* The output of one conversion, or the text between two. */
struct piece {
	enum { TEXT_PIECE, NUMBER_PIECE, STRING_PIECE } kind;
	const char *text;	/* TEXT_PIECE: of the print format */
	size_t offset, size;	/* of the value; text has no offset */
	/* NUMBER_PIECE */
	unsigned int bits, base, width;
	bool is_signed, upper, zeros, prefix;
};

struct tracepoint_plain {
	size_t need;		/* the least size of a record in bytes */
	size_t nr;
	struct piece pieces[];
};

/* False if a field is dynamic.  *@need is raised to the end of the fields. */
static bool fixed_fields(const struct tep_format_field *field, size_t *need)
{
	for (; field; field = field->next) {
		if (field->flags & TEP_FIELD_IS_DYNAMIC || field->offset < 0 ||
		    field->size < 0)
			return false;
		*need = MAX(*need, (size_t)field->offset +
				   (size_t)field->size);
	}
	return true;
}

static bool is_number_size(size_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
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
	uint64_t number;

	if (strcmp(arg->op.op, "[") != 0 || index->type != TEP_PRINT_ATOM ||
	    !field || !is_number_size(field->elementsize))
		return false;
	number = strtoull(index->atom.atom, NULL, 0);
	if (number >= (size_t)field->size / field->elementsize)
		return false;
	piece->size = field->elementsize;
	piece->offset = (size_t)field->offset + number * piece->size;
	return true;
}

static bool find_number(struct tep_event *event,
			const struct tep_print_arg *arg, struct piece *piece)
{
	const struct tep_format_field *field;

	arg = cast_away(arg);
	if (arg->type == TEP_PRINT_OP)
		return find_element(event, arg, piece);
	field = field_of(event, arg);
	if (!field || !is_number_size((size_t)field->size))
		return false;
	piece->offset = (size_t)field->offset;
	piece->size = (size_t)field->size;
	return true;
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

/* A text before each conversion, and one behind the last one. */
static size_t most_pieces(const char *format)
{
	size_t nr = 1;

	while ((format = strchr(format, '%')) != NULL) {
		nr += 2;
		format++;
	}
	return nr;
}

struct tracepoint_plain *tracepoint_plain_new(struct tep_event *event)
{
	const char *format = event->print_fmt.format;
	struct tracepoint_plain *plain;
	size_t need = 0;

	if (event->flags || event->handler || !format ||
	    !fixed_fields(event->format.common_fields, &need) ||
	    !fixed_fields(event->format.fields, &need))
		return NULL;
	plain = calloc(1, sizeof(*plain) +
			  most_pieces(format) * sizeof(plain->pieces[0]));
	if (!plain)
		return NULL;
	plain->need = need;
	if (read_pieces(plain, event))
		return plain;
	tracepoint_plain_free(plain);
	return NULL;
}

void tracepoint_plain_free(struct tracepoint_plain *plain)
{
	free(plain);
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
	unsigned int unused = 64 - piece->bits;

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

/* Up to the first NUL, if there is one. */
static void put_string(struct room *room, const struct piece *piece,
		       const char *data)
{
	size_t left = (size_t)(room->end - room->at);
	char text[STRING_MAX + 1];
	size_t len = strnlen(data + piece->offset, piece->size);

	memcpy(text, data + piece->offset, len);
	text[len] = '\0';
	text_copy(room->at, left + 1, text);
	room->at += strlen(room->at);
	/* after a character that did not fit, nothing else is written */
	if (len > left)
		room->end = room->at;
}

bool tracepoint_plain_print(const struct tracepoint_plain *plain,
			    const void *data, size_t size, char *buf,
			    size_t len)
{
	struct room room = { buf, buf + len - 1 };

	*buf = '\0';
	if (size < plain->need)
		return false;
	for (size_t i = 0; i < plain->nr; i++) {
		const struct piece *piece = &plain->pieces[i];

		if (piece->kind == TEXT_PIECE)
			put_bytes(&room, piece->text, piece->size);
		else if (piece->kind == NUMBER_PIECE)
			put_number(&room, piece, data);
		else
			put_string(&room, piece, data);
	}
	*room.at = '\0';
	return true;
}
