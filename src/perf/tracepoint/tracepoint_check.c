/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The print format is a list of expressions over the fields.  Each is evaluated
 * as libtraceevent will do it (eval_num_arg(), print_str_arg() there), with the
 * same data, but every step is checked first.
 */
#include "perf/tracepoint/tracepoint_plain.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The largest width that "%*d" and "%.*s" may have: no record has more bytes,
 * and libtraceevent grows its buffer in small steps.
 */
enum { WIDTH_MAX = 1 << 16 };

/* The value of an expression, if it can be computed here. */
struct value {
	bool known;
	uint64_t number;
};

/* @safe is cleared by the first step that is not safe. */
struct walk {
	struct tep_event *event;
	const unsigned char *data;
	size_t size;
	bool safe;
};

static struct value walk_arg(struct walk *w, struct tep_print_arg *arg);

static struct value known(uint64_t number)
{
	return (struct value){ true, number };
}

static struct value unknown(void)
{
	return (struct value){ false, 0 };
}

static struct value unsafe(struct walk *w)
{
	w->safe = false;
	return unknown();
}

bool tracepoint_check_span(const struct tep_format_field *field,
			   const void *data, size_t size,
			   struct tracepoint_span *span)
{
	uint32_t word;

	if (field->offset < 0 || field->size < 0 ||
	    (size_t)field->offset > size ||
	    (size_t)field->size > size - (size_t)field->offset)
		return false;
	span->start = (size_t)field->offset;
	span->len = (size_t)field->size;
	if (!(field->flags & TEP_FIELD_IS_DYNAMIC))
		return true;
	/* length << 16 | offset: include/trace/stages/stage2_data_offsets.h */
	if (span->len != sizeof(word))
		return false;
	memcpy(&word, (const char *)data + span->start, sizeof(word));
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		span->start += sizeof(word);
	else
		span->start = 0;
	span->start += word & 0xffff;
	span->len = word >> 16;
	return span->start <= size && span->len <= size - span->start;
}

uint64_t tracepoint_check_number(const void *data, size_t size)
{
	uint16_t half;
	uint32_t word;
	uint64_t quad;

	switch (size) {
	case sizeof(uint8_t):
		return *(const uint8_t *)data;
	case sizeof(half):
		memcpy(&half, data, sizeof(half));
		return half;
	case sizeof(word):
		memcpy(&word, data, sizeof(word));
		return word;
	default:
		memcpy(&quad, data, sizeof(quad));
		return quad;
	}
}

/* The field that an argument names; cached, as in libtraceevent. */
static struct tep_format_field *find(struct walk *w,
				     struct tep_format_field **field,
				     const char *name)
{
	if (!*field && name)
		*field = tep_find_any_field(w->event, name);
	return *field;
}

static struct value walk_field(struct walk *w, struct tep_print_arg *arg)
{
	struct tep_format_field *field =
		find(w, &arg->field.field, arg->field.name);
	struct tracepoint_span span;

	if (!field)
		return unknown();
	if (!tracepoint_check_span(field, w->data, w->size, &span))
		return unsafe(w);
	/* the number is in the field itself, even if that is dynamic */
	if (!tracepoint_check_is_number((size_t)field->size))
		return unknown();
	return known(tracepoint_check_number(w->data + field->offset,
					     (size_t)field->size));
}

/* Where a dynamic field's data is; not safe if @field is not dynamic. */
static bool dynamic_span(struct walk *w, struct tep_format_field *field,
			 struct tracepoint_span *span)
{
	if (field && (field->flags & TEP_FIELD_IS_DYNAMIC) &&
	    tracepoint_check_span(field, w->data, w->size, span))
		return true;
	w->safe = false;
	return false;
}

/* The result of a cast of @number. */
static struct value cast(const char *type, uint64_t number)
{
	static const struct {
		const char *name;
		unsigned int bits;
		bool is_signed;
	} types[] = {
		{ "u8", 8, false },	{ "s8", 8, true },
		{ "u16", 16, false },	{ "s16", 16, true },
		{ "u32", 32, false },	{ "s32", 32, true },
		{ "u64", 64, false },	{ "s64", 64, true },
		{ "char", 8, true },	{ "unsigned char", 8, false },
		{ "short", 16, true },	{ "unsigned short", 16, false },
		{ "int", 32, true },	{ "unsigned int", 32, false },
		{ "long", 64, true },	{ "unsigned long", 64, false },
		{ "long long", 64, true },
		{ "unsigned long long", 64, false },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		unsigned int unused = 64 - types[i].bits;

		if (strcmp(types[i].name, type))
			continue;
		number <<= unused;
		if (types[i].is_signed)
			return known((uint64_t)((int64_t)number >> unused));
		return known(number >> unused);
	}
	return unknown();
}

static struct value walk_cast(struct walk *w, struct tep_print_arg *arg)
{
	struct value value = walk_arg(w, arg->typecast.item);

	return value.known ? cast(arg->typecast.type, value.number) : value;
}

/* Where the data of the array @arg starts. */
static bool array_start(struct walk *w, struct tep_print_arg *arg,
			struct tracepoint_span *span)
{
	struct tep_format_field *field;

	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY)
		return dynamic_span(w, arg->dynarray.field, span);
	if (arg->type == TEP_PRINT_FIELD) {
		field = find(w, &arg->field.field, arg->field.name);
		if (field &&
		    tracepoint_check_span(field, w->data, w->size, span))
			return true;
	}
	w->safe = false;
	return false;
}

/* __print_hex(), __print_array(): @count elements of @size from @array on. */
static void walk_array(struct walk *w, struct tep_print_arg *array,
		       struct tep_print_arg *count, uint64_t size)
{
	struct tracepoint_span span;
	struct value value = walk_arg(w, count);

	if (!array_start(w, array, &span))
		return;
	if (!value.known || value.number > w->size ||
	    value.number * size > w->size - span.start)
		w->safe = false;
}

static void walk_int_array(struct walk *w, struct tep_print_arg *arg)
{
	struct value size = walk_arg(w, arg->int_array.el_size);

	/* libtraceevent warns about other sizes and uses 1 */
	if (!size.known || size.number > sizeof(uint64_t))
		w->safe = false;
	else
		walk_array(w, arg->int_array.field, arg->int_array.count,
			   size.number ? size.number : 1);
}

/* base[index]: the element at that index behind the base is read. */
static struct value walk_index(struct walk *w, struct tep_print_arg *arg)
{
	struct value index = walk_arg(w, arg->op.right);
	struct tep_print_arg *base = arg->op.left;
	struct tep_format_field *field;
	struct tracepoint_span span;
	uint64_t size;

	while (base->type == TEP_PRINT_TYPE)
		base = base->typecast.item;
	if (!array_start(w, base, &span))
		return unknown();
	field = base->type == TEP_PRINT_FIELD ? base->field.field :
						base->dynarray.field;
	size = field->elementsize ? field->elementsize : sizeof(uint64_t);
	if (!index.known || index.number >= w->size ||
	    (index.number + 1) * size > w->size - span.start)
		return unsafe(w);
	return unknown();
}

/* cond ?  left : right, of which only one is evaluated. */
static struct value walk_choice(struct walk *w, struct tep_print_arg *arg)
{
	struct value condition = walk_arg(w, arg->op.left);
	struct tep_print_arg *branches = arg->op.right;

	if (!branches || branches->type != TEP_PRINT_OP)
		return unsafe(w);
	if (condition.known)
		return walk_arg(w, condition.number ? branches->op.left :
						      branches->op.right);
	walk_arg(w, branches->op.left);
	walk_arg(w, branches->op.right);
	return unknown();
}

static struct value compute(const char *op, uint64_t left, uint64_t right)
{
	switch (op[0]) {
	case '+':
		return known(left + right);
	case '-':
		return known(left - right);
	case '*':
		return known(left * right);
	case '~':
		return known(~right);
	case '!':
		return known(op[1] ? left != right : !right);
	case '&':
		return known(op[1] ? left && right : left & right);
	case '|':
		return known(op[1] ? left || right : left | right);
	case '=':
		return known(left == right);
	case '<':
		if (op[1] == '<')
			return known(right < 64 ? left << right : 0);
		return known(op[1] ? left <= right : left < right);
	case '>':
		if (op[1] == '>')
			return known(right < 64 ? left >> right : 0);
		return known(op[1] ? left >= right : left > right);
	default:
		return unknown();
	}
}

static struct value walk_op(struct walk *w, struct tep_print_arg *arg)
{
	const char *op = arg->op.op;
	struct value left, right;

	if (op[0] == '[')
		return walk_index(w, arg);
	if (op[0] == '?')
		return walk_choice(w, arg);
	left = walk_arg(w, arg->op.left);
	right = walk_arg(w, arg->op.right);
	if (op[0] == '/' || op[0] == '%') {
		if (!right.known || right.number == 0)
			return unsafe(w);
		if (!left.known)
			return left;
		return known(op[0] == '/' ? left.number / right.number :
					    left.number % right.number);
	}
	if (!left.known || !right.known)
		return unknown();
	return compute(op, left.number, right.number);
}

/* __get_str(), __get_bitmask(): dynamic data, by the name of its field. */
static void walk_named(struct walk *w, struct tep_format_field **field,
		       const char *name, size_t min)
{
	struct tracepoint_span span;

	if (!find(w, field, name) || !dynamic_span(w, *field, &span) ||
	    span.len < min)
		w->safe = false;
}

static struct value walk_arg(struct walk *w, struct tep_print_arg *arg)
{
	struct tracepoint_span span;

	if (!arg)
		return known(0);
	switch (arg->type) {
	case TEP_PRINT_NULL:
		return known(0);
	case TEP_PRINT_ATOM:
		return known(strtoull(arg->atom.atom, NULL, 0));
	case TEP_PRINT_FIELD:
		return walk_field(w, arg);
	case TEP_PRINT_TYPE:
		return walk_cast(w, arg);
	case TEP_PRINT_OP:
		return walk_op(w, arg);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return dynamic_span(w, arg->dynarray.field, &span) ?
			       known(span.len) : unknown();
	case TEP_PRINT_DYNAMIC_ARRAY:
		dynamic_span(w, arg->dynarray.field, &span);
		break;
	case TEP_PRINT_FLAGS:
		walk_arg(w, arg->flags.field);
		break;
	case TEP_PRINT_SYMBOL:
		walk_arg(w, arg->symbol.field);
		break;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		walk_array(w, arg->hex.field, arg->hex.size, 1);
		break;
	case TEP_PRINT_INT_ARRAY:
		walk_int_array(w, arg);
		break;
	case TEP_PRINT_STRING:
		walk_named(w, &arg->string.field, arg->string.string, 0);
		break;
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		/* for an empty mask, libtraceevent (1.7) allocates 3 GB */
		walk_named(w, &arg->bitmask.field, arg->bitmask.bitmask,
			   arg->type == TEP_PRINT_CPUMASK);
		break;
	case TEP_PRINT_FUNC:
		for (arg = arg->func.args; arg; arg = arg->next)
			walk_arg(w, arg);
		break;
	case TEP_PRINT_BSTRING:
		break;
	default:
		return unsafe(w);
	}
	return unknown();
}

/* Skip what is between a '%' and the letter of the conversion. */
static const char *conversion(const char *format, bool *star)
{
	*star = false;
	for (; *format; format++) {
		if (*format == '*')
			*star = true;
		else if (!strchr("#-+ .0123456789hlLzZ", *format))
			break;
	}
	return format;
}

/* The arguments that give a width or a precision. */
static void walk_widths(struct walk *w)
{
	const char *format = w->event->print_fmt.format;
	struct tep_print_arg *arg = w->event->print_fmt.args;
	bool star;

	while (format && (format = strchr(format, '%')) != NULL && arg) {
		format = conversion(format + 1, &star);
		if (!*format)
			return;
		if (*format++ == '%')
			continue;
		if (star) {
			struct value width = walk_arg(w, arg);

			if (!width.known || width.number > WIDTH_MAX)
				w->safe = false;
			arg = arg->next;
		}
		if (arg)
			arg = arg->next;
	}
}

static bool fields_fit(const struct tep_format_field *field, const void *data,
		       size_t size)
{
	struct tracepoint_span span;

	for (; field; field = field->next)
		if (!tracepoint_check_span(field, data, size, &span))
			return false;
	return true;
}

bool tracepoint_check(struct tep_event *event, const void *data, size_t size)
{
	struct walk w = { event, data, size, true };

	if (!fields_fit(event->format.common_fields, data, size) ||
	    !fields_fit(event->format.fields, data, size))
		return false;
	/* only its fields are printed */
	if (tracepoint_check_failed(event))
		return true;
	for (struct tep_print_arg *arg = event->print_fmt.args; arg;
	     arg = arg->next)
		walk_arg(&w, arg);
	walk_widths(&w);
	return w.safe;
}
