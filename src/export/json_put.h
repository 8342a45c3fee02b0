/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON as it is written, field by field, into a text that grows: a value of
 * jansson's for each of the fields of thousands of rings is dearer than all
 * else that is done for them.  Where there is no memory the text fails and
 * stays so: it is enough to look at the end.
 */
#ifndef RBTOP_EXPORT_JSON_PUT_H
#define RBTOP_EXPORT_JSON_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct advice;

/* Starts as { 0 }; @text is the owner's to free. */
struct json_text {
	char *text;		/* @len bytes, with no 0 behind them */
	size_t len, room;
	bool failed;		/* out of memory */
};

/* An object or an array that is open; of the innermost alone is written. */
struct json_put {
	struct json_text *to;
	char closing;
	bool any;		/* something is in it */
};

/* The object that is all of the text. */
struct json_put json_put_begin(struct json_text *to);

/*
 * One in @o.  Here and below @key is a literal, which is not escaped; NULL
 * where @o is an array.
 */
struct json_put json_put_object(struct json_put *o, const char *key);
struct json_put json_put_array(struct json_put *o, const char *key);
void json_put_end(struct json_put *o);

/* UNKNOWN is null. */
void json_put_count(struct json_put *o, const char *key, uint64_t value);

/* Where 0 says that there is none: null. */
void json_put_set(struct json_put *o, const char *key, uint64_t value);

/* What is not finite is null. */
void json_put_number(struct json_put *o, const char *key, double value);

/* A CPU or a task; below 0, none: null. */
void json_put_id(struct json_put *o, const char *key, int value);

void json_put_bool(struct json_put *o, const char *key, bool value);
void json_put_null(struct json_put *o, const char *key);

/* Sanitized: JSON is valid UTF-8. */
void json_put_text(struct json_put *o, const char *key, const char *text);

/* Where "" says that there is none: null. */
void json_put_text_set(struct json_put *o, const char *key, const char *text);

/* A ring's size advice; null where too little was seen. */
void json_put_advice(struct json_put *o, const char *key,
		     const struct advice *advice);

#endif
