/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/sample_filter.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"

enum {
	MAX_TEXT = 1024,	/* bytes of a filter */
	MAX_DEPTH = 64,		/* nested parentheses and ! */
};

static const struct {
	const char *name;
	enum filter_what what;
} names[] = {
	{ "comm", WHAT_COMM },	   { "event", WHAT_EVENT },
	{ "sym", WHAT_SYM },	   { "dso", WHAT_DSO },
	{ "text", WHAT_TEXT },	   { "cpu", WHAT_CPU },
	{ "pid", WHAT_PID },	   { "tid", WHAT_TID },
	{ "time", WHAT_TIME },	   { "ip", WHAT_IP },
	{ "addr", WHAT_ADDR },	   { "period", WHAT_PERIOD },
	{ "weight", WHAT_WEIGHT },
};

/* Longer ones first: "<=" before "<". */
static const struct {
	const char *text;
	enum filter_op op;
} operators[] = {
	{ "==", OP_EQUAL },	{ "!=", OP_DIFFERENT },
	{ "<=", OP_LESS_EQUAL }, { ">=", OP_MORE_EQUAL },
	{ "!~", OP_UNLIKE },	{ "<", OP_LESS },
	{ ">", OP_MORE },	{ "~", OP_LIKE },
};

/* The state of parsing. */
struct parser {
	const char *text, *at;
	int depth;
	struct err *err;
};

void sample_filter_node_free(struct filter_node *node)
{
	if (!node)
		return;
	sample_filter_node_free(node->left);
	sample_filter_node_free(node->right);
	free(node->field);
	free(node->value);
	free(node);
}

bool sample_filter_number(const char *text, struct filter_number *out)
{
	out->negative = *text == '-';
	return units_scan_number(text + out->negative, &out->magnitude);
}

/* Set the error, with the column of @at.  Returns NULL. */
static struct filter_node *fault(const struct parser *p, const char *at,
				 const char *what)
{
	err_usage(p->err, "filter, column %td: %s", at - p->text + 1, what);
	return NULL;
}

static struct filter_node *no_memory(const struct parser *p)
{
	err_set(p->err, -ENOMEM, "filter: out of memory");
	return NULL;
}

static void skip_blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool take(struct parser *p, const char *token)
{
	skip_blanks(p);
	return text_skip(&p->at, token);
}

static bool is_connector(const char *at)
{
	return text_begins(at, "&&") || text_begins(at, "||");
}

/* Read "a quoted word", or a word up to a blank or where @ends holds. */
static char *parse_word(struct parser *p, bool (*ends)(const char *at))
{
	int depth = 0;		/* "operator()" is one word */
	const char *from;
	char *word;

	skip_blanks(p);
	from = p->at;
	if (*from == '"') {
		const char *end = strchr(from + 1, '"');

		if (!end) {
			fault(p, from, "no closing quote");
			return NULL;
		}
		p->at = end + 1;
		word = strndup(from + 1, (size_t)(end - from - 1));
	} else {
		for (; *p->at && !isspace((unsigned char)*p->at); p->at++) {
			depth += *p->at == '(';
			if (*p->at == ')' && --depth < 0)
				break;
			if (!depth && ends(p->at))
				break;
		}
		word = strndup(from, (size_t)(p->at - from));
	}
	if (!word)
		no_memory(p);
	return word;
}

static bool ends_name(const char *at)
{
	return strchr("=!<>~", *at) || is_connector(at);
}

static bool parse_operator(struct parser *p, enum filter_op *op)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (take(p, operators[i].text)) {
			*op = operators[i].op;
			return true;
		}
	}
	return false;
}

static enum filter_what what_of(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcasecmp(name, names[i].name))
			return names[i].what;
	}
	return WHAT_FIELD;
}

/* Parse seconds, "12" or "12.5", into ns, exactly. */
static bool scan_time(const char *text, struct filter_number *out)
{
	uint64_t unit = 1000000000, seconds = 0, ns = 0;
	const char *at = text;

	for (; isdigit((unsigned char)*at); at++) {
		if (seconds > UINT64_MAX / unit / 10 - 1)
			return false;
		seconds = seconds * 10 + (uint64_t)(*at - '0');
	}
	out->negative = false;
	out->magnitude = seconds * unit;
	if (at == text || (*at && *at != '.'))
		return false;
	for (at += *at == '.'; isdigit((unsigned char)*at); at++) {
		unit /= 10;
		ns += (uint64_t)(*at - '0') * unit;
	}
	out->magnitude += ns;
	return !*at;
}

/* Complete and check a comparison.  Returns its error; NULL: none. */
static const char *check(struct filter_node *node)
{
	bool orders = node->op >= OP_LESS && node->op <= OP_MORE_EQUAL;
	bool like = node->op == OP_LIKE || node->op == OP_UNLIKE;

	node->glob = like && strpbrk(node->value, "*?");
	if (node->what == WHAT_TIME)
		node->numeric = scan_time(node->value, &node->number);
	else
		node->numeric = sample_filter_number(node->value,
						     &node->number);
	if (node->what >= WHAT_FIRST_NUMBER) {
		if (like)
			return "~ is for text; this is a number";
		if (!node->numeric)
			return "can only be compared with a number";
	} else if (orders && node->what != WHAT_FIELD) {
		return "text cannot be compared by < or >; use == != ~ !~";
	} else if (orders && !node->numeric) {
		return "< and > need a number";
	}
	return NULL;
}

/* Read the value after NAME OP, and complete @node. */
static struct filter_node *parse_value(struct parser *p,
				       struct filter_node *node,
				       const char *from)
{
	const char *wrong;

	node->what = what_of(node->field);
	skip_blanks(p);
	if (!*p->at || *p->at == ')' || is_connector(p->at)) {
		sample_filter_node_free(node);
		return fault(p, p->at, "a value is expected");
	}
	node->value = parse_word(p, is_connector);
	wrong = node->value ? check(node) : NULL;
	if (node->value && !wrong)
		return node;
	sample_filter_node_free(node);
	return wrong ? fault(p, from, wrong) : NULL;
}

static struct filter_node *parse_term(struct parser *p)
{
	struct filter_node *node = calloc(1, sizeof(*node));
	const char *from;

	if (!node)
		return no_memory(p);
	skip_blanks(p);
	from = p->at;
	node->field = parse_word(p, ends_name);
	if (!node->field) {
		sample_filter_node_free(node);
		return NULL;
	}
	if (!*node->field) {
		sample_filter_node_free(node);
		return fault(p, from, "a name or a word is expected");
	}
	if (parse_operator(p, &node->op))
		return parse_value(p, node, from);
	if (*p->at == '=') {
		sample_filter_node_free(node);
		return fault(p, p->at, "'=' is no operator; use ==");
	}
	node->what = WHAT_ANYTHING;
	node->op = OP_LIKE;
	node->value = node->field;
	node->field = NULL;
	node->glob = strpbrk(node->value, "*?");
	return node;
}

static struct filter_node *parse_or(struct parser *p);

static struct filter_node *join(struct parser *p, enum filter_op op,
				struct filter_node *left,
				struct filter_node *right)
{
	struct filter_node *node = NULL;

	if (left && (right || op == OP_NOT))
		node = calloc(1, sizeof(*node));
	if (node) {
		*node = (struct filter_node){ .op = op, .left = left,
					      .right = right };
		return node;
	}
	if (left && (right || op == OP_NOT))
		no_memory(p);
	sample_filter_node_free(left);
	sample_filter_node_free(right);
	return NULL;
}

/* "!..." and "(...)". */
static struct filter_node *parse_unary(struct parser *p)
{
	struct filter_node *node;

	skip_blanks(p);
	if (p->depth == MAX_DEPTH)
		return fault(p, p->at, "too many parentheses and !");
	p->depth++;
	if (take(p, "!")) {
		node = join(p, OP_NOT, parse_unary(p), NULL);
	} else if (take(p, "(")) {
		node = parse_or(p);
		if (node && !take(p, ")")) {
			sample_filter_node_free(node);
			node = fault(p, p->at, "')', && or || is expected");
		}
	} else {
		node = parse_term(p);
	}
	p->depth--;
	return node;
}

static struct filter_node *parse_and(struct parser *p)
{
	struct filter_node *node = parse_unary(p);

	while (node && take(p, "&&"))
		node = join(p, OP_AND, node, parse_unary(p));
	return node;
}

static struct filter_node *parse_or(struct parser *p)
{
	struct filter_node *node = parse_and(p);

	while (node && take(p, "||"))
		node = join(p, OP_OR, node, parse_and(p));
	return node;
}

struct filter_node *sample_filter_read(const char *text, struct err *err)
{
	struct parser p = { .text = text, .at = text, .err = err };
	struct filter_node *node;

	if (strlen(text) > MAX_TEXT)
		return fault(&p, text + MAX_TEXT, "too long");
	node = parse_or(&p);
	skip_blanks(&p);
	if (!node || !*p.at)
		return node;
	sample_filter_node_free(node);
	return fault(&p, p.at, "&& or || is expected; put values with "
			       "blanks in \"quotes\"");
}
