/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON objects in the making, field by field.  Where there is no memory, their
 * json turns NULL and stays so: it is enough to look at the end.
 */
#ifndef RBTOP_EXPORT_JSON_PUT_H
#define RBTOP_EXPORT_JSON_PUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct advice;

struct json_put {
	json_t *json;
};

struct json_put json_put_new(void);

/* @value is taken over; NULL is out of memory. */
void json_put(struct json_put *o, const char *key, json_t *value);

/* READING_UNKNOWN (which is FRAME_UNKNOWN, HOST_UNKNOWN) is null. */
void json_put_count(struct json_put *o, const char *key, uint64_t value);

/* Where 0 says that there is none: null. */
void json_put_set(struct json_put *o, const char *key, uint64_t value);

/* What is not finite is null. */
void json_put_number(struct json_put *o, const char *key, double value);

/* A CPU or a task; below 0, none: null. */
void json_put_id(struct json_put *o, const char *key, int value);

void json_put_bool(struct json_put *o, const char *key, bool value);
void json_put_null(struct json_put *o, const char *key);

/* Sanitized: jansson takes nothing but valid UTF-8. */
void json_put_text(struct json_put *o, const char *key, const char *text);

/* Where "" says that there is none: null. */
void json_put_text_set(struct json_put *o, const char *key, const char *text);

/* A ring's size advice; null where too little was seen. */
void json_put_advice(struct json_put *o, const char *key,
		     const struct advice *advice);

/*
 * The array of what @make makes of the items from 0 to @nr - 1.  NULL when out
 * of memory.
 */
json_t *json_put_array(size_t nr, json_t *(*make)(const void *ctx, size_t i),
		       const void *ctx);

#endif
