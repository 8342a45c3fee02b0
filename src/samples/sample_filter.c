/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/sample_filter.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "samples/feed.h"

enum { VALUE = 512 };	/* bytes of a tracepoint field compared */

struct sample_filter {
	struct filter_node *root;
};

struct sample_filter *sample_filter_new(const char *text, struct err *err)
{
	struct sample_filter *filter = malloc(sizeof(*filter));

	if (!filter) {
		err_set(err, -ENOMEM, "filter: out of memory");
		return NULL;
	}
	filter->root = sample_filter_read(text, err);
	if (filter->root)
		return filter;
	free(filter);
	return NULL;
}

void sample_filter_free(struct sample_filter *filter)
{
	if (filter)
		sample_filter_node_free(filter->root);
	free(filter);
}

static bool is_known(const char *field, const char *const *fields, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const char *dot = strrchr(fields[i], '.');

		if (dot && !strcmp(dot + 1, field))
			return true;
	}
	return false;
}

/* The first field in the tree that is not one of @fields; NULL: none. */
static const char *unknown_field(const struct filter_node *node,
				 const char *const *fields, size_t nr)
{
	const char *field;

	if (!node)
		return NULL;
	field = unknown_field(node->left, fields, nr);
	if (!field)
		field = unknown_field(node->right, fields, nr);
	if (!field && node->field && node->what == WHAT_FIELD &&
	    !is_known(node->field, fields, nr))
		field = node->field;
	return field;
}

int sample_filter_check(const struct sample_filter *filter,
			const char *const *fields, size_t nr,
			struct err *err)
{
	const char *field = unknown_field(filter->root, fields, nr);

	if (!field)
		return 0;
	return err_usage(err, "filter: no event here has a field '%.60s'",
			 field);
}

static bool same_char(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Match all of @text; on a mismatch, the last * takes one more character. */
static bool glob_match(const char *glob, const char *text)
{
	const char *star = NULL, *again = NULL;

	while (*text) {
		if (*glob == '*') {
			star = glob++;
			again = text;
		} else if (*glob && (*glob == '?' || same_char(*glob, *text))) {
			glob++;
			text++;
		} else if (star) {
			glob = star + 1;
			text = ++again;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool like(const struct filter_node *node, const char *text)
{
	return node->glob ? glob_match(node->value, text) :
			    strcasestr(text, node->value) != NULL;
}

bool sample_filter_text(const struct filter_node *node, const char *text)
{
	switch (node->op) {
	case OP_EQUAL:
		return !strcmp(text, node->value);
	case OP_DIFFERENT:
		return strcmp(text, node->value) != 0;
	case OP_LIKE:
		return like(node, text);
	case OP_UNLIKE:
		return !like(node, text);
	default:
		return false;
	}
}

static int compare(struct filter_number a, struct filter_number b)
{
	bool below = a.negative && a.magnitude;	/* -0 is 0 */

	if (below != (b.negative && b.magnitude))
		return below ? -1 : 1;
	if (a.magnitude == b.magnitude)
		return 0;
	return (a.magnitude < b.magnitude) != below ? -1 : 1;
}

bool sample_filter_compare(const struct filter_node *node,
			   struct filter_number number)
{
	int order = compare(number, node->number);

	switch (node->op) {
	case OP_EQUAL:
		return order == 0;
	case OP_DIFFERENT:
		return order != 0;
	case OP_LESS:
		return order < 0;
	case OP_LESS_EQUAL:
		return order <= 0;
	case OP_MORE:
		return order > 0;
	case OP_MORE_EQUAL:
		return order >= 0;
	default:
		return false;
	}
}

static bool find_field(const char *values, const char *name, char *buf,
		       size_t size)
{
	struct feed_value field;
	size_t len = strlen(name);

	while (feed_next_value(&values, &field)) {
		if (field.name_len != len || strncmp(field.name, name, len))
			continue;
		if (field.value_len < size)
			size = field.value_len + 1;
		memcpy(buf, field.value, size - 1);
		buf[size - 1] = '\0';
		return true;
	}
	return false;
}

/* A value that the sample does not have compares false by any operator. */
static bool field_match(const struct filter_node *node,
			const struct feed_sample *s)
{
	char value[VALUE];
	struct filter_number number;

	if (!find_field(s->values, node->field, value, sizeof(value)))
		return false;
	if (node->numeric && sample_filter_number(value, &number))
		return sample_filter_compare(node, number);
	return sample_filter_text(node, value);
}

/* Compare with and without the directory. */
static bool file_match(const struct filter_node *node, const char *dso)
{
	const char *name = text_base_name(dso);

	if (node->op == OP_DIFFERENT || node->op == OP_UNLIKE)
		return sample_filter_text(node, dso) &&
		       sample_filter_text(node, name);
	return sample_filter_text(node, dso) || sample_filter_text(node, name);
}

static bool symbol_match(const struct filter_node *node,
			 const struct feed_sample *s)
{
	return s->nr_frames &&
	       sample_filter_text(node, s->frames[0].symbol.name);
}

static bool dso_match(const struct filter_node *node,
		      const struct feed_sample *s)
{
	return s->nr_frames && file_match(node, s->frames[0].symbol.dso);
}

/* False if the sample does not have it. */
static bool number_of(const struct feed_sample *s, enum filter_what what,
		      uint64_t *value)
{
	switch (what) {
	case WHAT_CPU:
		*value = (uint64_t)s->cpu;
		return s->cpu >= 0;
	case WHAT_PID:
		*value = (uint64_t)s->pid;
		return s->pid >= 0;
	case WHAT_TID:
		*value = (uint64_t)s->tid;
		return s->tid >= 0;
	case WHAT_TIME:
		*value = s->time;
		return true;
	case WHAT_IP:
		*value = s->ip;
		return s->fields & PERF_SAMPLE_IP;
	case WHAT_ADDR:
		*value = s->addr;
		return s->fields & PERF_SAMPLE_ADDR;
	case WHAT_PERIOD:
		*value = s->period;
		return s->fields & PERF_SAMPLE_PERIOD || s->period;
	case WHAT_WEIGHT:
		*value = s->weight;
		return true;
	default:
		return false;
	}
}

/* Whether a sample matches; MAYBE: depends on texts not formatted yet. */
enum verdict { NO, MAYBE, YES };

static enum verdict word_match(const struct filter_node *node,
			       const struct feed_sample *s, bool written)
{
	if (like(node, s->comm) || like(node, s->event) ||
	    symbol_match(node, s) || dso_match(node, s))
		return YES;
	if (!written)
		return MAYBE;
	return like(node, s->text) ? YES : NO;
}

static bool compare_match(const struct filter_node *node,
			  const struct feed_sample *s)
{
	struct filter_number number = { .negative = false };

	switch (node->what) {
	case WHAT_FIELD:
		return field_match(node, s);
	case WHAT_COMM:
		return sample_filter_text(node, s->comm);
	case WHAT_EVENT:
		return sample_filter_text(node, s->event);
	case WHAT_SYM:
		return symbol_match(node, s);
	case WHAT_DSO:
		return dso_match(node, s);
	case WHAT_TEXT:
		return sample_filter_text(node, s->text);
	default:
		return number_of(s, node->what, &number.magnitude) &&
		       sample_filter_compare(node, number);
	}
}

static enum verdict judge(const struct filter_node *node,
			  const struct feed_sample *s, bool written)
{
	enum verdict left, right;

	switch (node->op) {
	case OP_AND:
		left = judge(node->left, s, written);
		right = left ? judge(node->right, s, written) : NO;
		return left < right ? left : right;
	case OP_OR:
		left = judge(node->left, s, written);
		right = left < YES ? judge(node->right, s, written) : YES;
		return left > right ? left : right;
	case OP_NOT:
		return YES - judge(node->left, s, written);
	default:
		break;
	}
	if (node->what == WHAT_ANYTHING)
		return word_match(node, s, written);
	if (!written && (node->what == WHAT_FIELD || node->what == WHAT_TEXT))
		return MAYBE;
	return compare_match(node, s) ? YES : NO;
}

bool sample_filter_match(const struct sample_filter *filter,
			 const struct feed_sample *sample)
{
	return !filter || judge(filter->root, sample, true) == YES;
}

bool sample_filter_rejects(const struct sample_filter *filter,
			   const struct feed_sample *sample)
{
	return filter && judge(filter->root, sample, false) == NO;
}
