/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>
#include <wchar.h>

enum { REPLACEMENT = 0xfffd };

/* Length of the sequence that the lead byte @b begins, 0 if it begins none. */
static size_t lead_length(unsigned char b)
{
	if (b < 0x80)
		return 1;
	if (b >= 0xc2 && b <= 0xdf)
		return 2;
	if (b >= 0xe0 && b <= 0xef)
		return 3;
	if (b >= 0xf0 && b <= 0xf4)
		return 4;
	return 0;
}

/* Overlong, a surrogate, or beyond Unicode (RFC 3629, section 3). */
static bool forbidden(unsigned int c, size_t len)
{
	static const unsigned int min[] = { 0, 0, 0x80, 0x800, 0x10000 };

	return c < min[len] || (c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff;
}

/*
 * As text_decode, but 0 if the bytes are invalid, and 1 at the end of the
 * string.
 */
static size_t decode_valid(const char *s, unsigned int *c)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t len = lead_length(u[0]);
	unsigned int value;
	size_t i;

	if (len <= 1) {
		*c = u[0];
		return len;
	}
	value = u[0] & (0x7fu >> len);
	for (i = 1; i < len; i++) {
		/* a terminating NUL fails here, so nothing after it is read */
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (u[i] & 0x3f);
	}
	*c = value;
	return forbidden(value, len) ? 0 : len;
}

/*
 * Characters that control a terminal or make text look different from what it
 * is: control characters, and formatting characters that reorder text or have
 * no width.
 */
static bool unsafe(unsigned int c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x61c ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x2069) || c == 0xfeff ||
	       (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

char *text_sanitize(char *s)
{
	char *p = s;

	while (*p) {
		unsigned int c;
		size_t len = decode_valid(p, &c);

		if (len == 0) {
			*p++ = '?';
			continue;
		}
		if (unsafe(c))
			memset(p, '?', len);
		p += len;
	}
	return s;
}

/* Length of the printable ASCII at the start of @s, at most @max. */
static size_t plain_length(const char *s, size_t max)
{
	size_t len = 0;

	while (len < max && s[len] >= 0x20 && s[len] < 0x7f)
		len++;
	return len;
}

void text_copy(char *dst, size_t size, const char *src)
{
	size_t plain = plain_length(src, size ? size - 1 : 0), used = plain;
	unsigned int c;
	size_t len;

	memcpy(dst, src, plain);

	while ((len = text_decode(src + used, &c)) > 0) {
		if (used + len >= size)
			break;
		memcpy(dst + used, src + used, len);
		used += len;
	}
	dst[used] = '\0';
	text_sanitize(dst + plain);
}

static int char_width(unsigned int c)
{
	int width = wcwidth((wchar_t)c);

	return width < 0 ? 1 : width;
}

int text_width(const char *s)
{
	unsigned int c;
	int width = 0;
	size_t len;

	while ((len = text_decode(s, &c)) > 0) {
		width += char_width(c);
		s += len;
	}
	return width;
}

size_t text_prefix(const char *s, int columns)
{
	size_t used = 0;
	unsigned int c;
	size_t len;

	while ((len = text_decode(s + used, &c)) > 0) {
		columns -= char_width(c);
		if (columns < 0)
			break;
		used += len;
	}
	return used;
}

size_t text_decode(const char *s, unsigned int *c)
{
	size_t len;

	if (*s == '\0') {
		*c = 0;
		return 0;
	}
	len = decode_valid(s, c);
	if (len == 0) {
		*c = REPLACEMENT;
		return 1;
	}
	return len;
}

char *text_digits(char buf[TEXT_DIGITS], uint64_t number, unsigned int base)
{
	char *at = buf + TEXT_DIGITS - 1;

	*at = '\0';
	if (base == 16) {
		do
			*--at = "0123456789abcdef"[number & 15];
		while (number >>= 4);
		return at;
	}
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	return at;
}

const char *text_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

bool text_is_file_name(const char *s)
{
	size_t len = strlen(s);

	return len > 0 && len <= NAME_MAX && s[0] != '.' && !strchr(s, '/');
}

void text_copy_field(char *dst, size_t size, const char *src, size_t room)
{
	char text[64] = "";

	memcpy(text, src, MIN(room, sizeof(text) - 1));
	text_copy(dst, size, text);
}

void text_append(char *buf, size_t size, const char *fmt, ...)
{
	size_t len = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + len, size - len, fmt, ap);
	va_end(ap);
}

bool text_list(char *list, size_t size, const char *item)
{
	const char *between = list[0] ? ", " : "";
	size_t len = strlen(list);
	bool fits = len + strlen(between) + strlen(item) + strlen(", ..") <
		    size;

	if (len >= 2 && !strcmp(list + len - 2, ".."))
		return false;
	text_append(list, size, "%s%s", between, fits ? item : "..");
	return fits;
}

bool text_begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

bool text_skip(const char **s, const char *with)
{
	if (!text_begins(*s, with))
		return false;
	*s += strlen(with);
	return true;
}

size_t text_count(char dst[TEXT_DIGITS], uint64_t value)
{
	char buf[TEXT_DIGITS];
	const char *digits = text_digits(buf, value, 10);
	size_t len = (size_t)(buf + sizeof(buf) - 1 - digits);

	memcpy(dst, digits, len + 1);
	return len;
}
