/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes JSON field by field to a growing text: with a jansson value for each
 * field, thousands of rings would be slow.  If memory runs out the text fails
 * permanently: check once at the end.
 */
#ifndef RBTOP_EXPORT_JSON_PUT_H
#define RBTOP_EXPORT_JSON_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct advice;

/* Starts as { 0 }; the owner frees @text. */
struct json_text {
	char *text;		/* @len bytes, without a final NUL */
	size_t len, cap;
	bool failed;		/* out of memory */
};

/* An open object or array; only the innermost may be written to. */
struct json_put {
	struct json_text *to;
	char closing;
	bool any;		/* it is not empty */
};

/* The outermost object of the text. */
struct json_put json_put_begin(struct json_text *to);

/*
 * An object in @o.  Here and below @key is a literal, which is not escaped;
 * NULL if @o is an array.
 */
struct json_put json_put_object(struct json_put *o, const char *key);
struct json_put json_put_array(struct json_put *o, const char *key);
void json_put_end(struct json_put *o);

/* UNKNOWN is written as null. */
void json_put_count(struct json_put *o, const char *key, uint64_t value);

/* 0, which means none, is written as null. */
void json_put_set(struct json_put *o, const char *key, uint64_t value);

/* A value that is not finite is written as null. */
void json_put_number(struct json_put *o, const char *key, double value);

/* A CPU or a task; negative, which means none, is written as null. */
void json_put_id(struct json_put *o, const char *key, int value);

void json_put_bool(struct json_put *o, const char *key, bool value);
void json_put_null(struct json_put *o, const char *key);

/* Sanitized: JSON is valid UTF-8. */
void json_put_text(struct json_put *o, const char *key, const char *text);

/* "", which means none, is written as null. */
void json_put_text_set(struct json_put *o, const char *key, const char *text);

/* A ring's size advice; null if it is not valid. */
void json_put_advice(struct json_put *o, const char *key,
		     const struct advice *advice);

#endif
