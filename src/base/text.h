/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside: names, comm strings, command output.  Nothing of it may
 * reach a terminal raw, and its width on screen is what wcwidth(3) says.
 */
#ifndef RBTOP_BASE_TEXT_H
#define RBTOP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_DIGITS = 24 };	/* bytes that fit any number of 64 bits */

/*
 * Replace, in place, every byte of @s that a terminal could take for a
 * command (C0, DEL, C1, and bytes that are not valid UTF-8, whatever the
 * locale) with '?', and so those of the characters that reorder text or take
 * no room (bidirectional and zero-width formatting, line separators).
 * Returns @s.
 */
char *text_sanitize(char *s);

/*
 * Copy at most @size - 1 bytes of @src into @dst, never cutting a UTF-8
 * sequence in two, then sanitize it.  @dst is always terminated (size >= 1).
 */
void text_copy(char *dst, size_t size, const char *src);

/*
 * Write @value in decimal digits, terminated.  Returns how many there are.
 * Where thousands are written each second snprintf(3) is what costs most.
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
 * Decode one UTF-8 character at @s into *@c.  Returns its length in bytes, 0
 * at the end of the string, and 1 with U+FFFD where the bytes are invalid.
 */
size_t text_decode(const char *s, unsigned int *c);

/*
 * The digits of @number, lower case, to the base of 10 or 16.  Returns where
 * in @buf they start, with room for a sign before them and a NUL behind.  For
 * what is printed by the million; printf(3) is for the rest.
 */
char *text_digits(char buf[TEXT_DIGITS], uint64_t number, unsigned int base);

/*
 * Whether @s can name nothing but a file in the directory it is looked up in:
 * no '/', no leading dot, neither empty nor too long for a name.
 */
bool text_is_file_name(const char *s);

#endif
