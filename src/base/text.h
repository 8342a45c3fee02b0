/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside: names, comm strings, command output.  It must be sanitized
 * before it reaches a terminal; its width on screen is that of wcwidth(3).
 */
#ifndef RBTOP_BASE_TEXT_H
#define RBTOP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_DIGITS = 24 };	/* bytes that fit any number of 64 bits */

/*
 * Replace, in place, every byte of @s that a terminal could interpret (C0, DEL,
 * C1, and bytes that are not valid UTF-8, whatever the locale) with '?', and
 * every byte of characters that reorder text or have no width (bidirectional
 * and zero-width formatting, line separators).  Returns @s.
 */
char *text_sanitize(char *s);

/*
 * Copy at most @size - 1 bytes of @src into @dst, never cutting a UTF-8
 * sequence in two, then sanitize it.  @dst is always terminated (size >= 1).
 */
void text_copy(char *dst, size_t size, const char *src);

/* The same of an array of @room bytes, up to 63, which may have no NUL. */
void text_copy_field(char *dst, size_t size, const char *src, size_t room);

/* Append to the text in @buf, as snprintf(3), cut to the room left. */
void text_append(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Append @item after a ", " if @list is not empty.  An item that does not fit
 * is not cut: ".." is appended in its place, nothing after that, and it returns
 * false.
 */
bool text_list(char *list, size_t size, const char *item);

bool text_begins(const char *s, const char *with);
/* The same; then *@s is advanced past it. */
bool text_skip(const char **s, const char *with);

/*
 * Write @value in decimal digits, terminated.  Returns their number.  Faster
 * than snprintf(3), for thousands of numbers per second.
 */
size_t text_count(char dst[TEXT_DIGITS], uint64_t value);

/*
 * Columns that the UTF-8 string @s takes on screen (its own decoder and
 * wcwidth; an unprintable character counts as 1, since it is drawn as '?').
 */
int text_width(const char *s);

/* Bytes of the longest prefix of @s that is no wider than @columns. */
size_t text_prefix(const char *s, int columns);

/*
 * Decode one UTF-8 character at @s into *@c.  Returns its length in bytes, 0 at
 * the end of the string, and 1 with U+FFFD if the bytes are invalid.
 */
size_t text_decode(const char *s, unsigned int *c);

/*
 * The digits of @number in base 10 or 16 (lower case).  Returns the address of
 * the first within @buf; there is room for a sign before it, and a NUL follows.
 * For output of millions of numbers; else use printf(3).
 */
char *text_digits(char buf[TEXT_DIGITS], uint64_t number, unsigned int base);

/* The part of @path after its last slash; all of it if there is none. */
const char *text_base_name(const char *path);

/*
 * Whether @s is safe as the name of a file in a given directory: no '/', no
 * leading dot, not empty, and not too long for a name.
 */
bool text_is_file_name(const char *s);

#endif
