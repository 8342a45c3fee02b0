/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"

/*
 * Read the digits at *@s and move *@s past them.  False if there are none or
 * the number is too large.
 */
static bool scan_digits(const char **s, uint64_t *value)
{
	const char *p = *s;
	uint64_t n = 0;

	if (!isdigit((unsigned char)*p))
		return false;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return false;
	*s = p;
	*value = n;
	return true;
}

static bool has_hex_prefix(const char *s)
{
	return s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

bool units_scan_hex(const char *s, uint64_t *value)
{
	if (has_hex_prefix(s))
		s += 2;
	/* strtoull would take a sign, a space or a second 0x */
	if (!*s || s[strspn(s, "0123456789abcdefABCDEF")])
		return false;
	errno = 0;
	*value = strtoull(s, NULL, 16);
	return errno == 0;
}

bool units_scan_number(const char *s, uint64_t *value)
{
	if (has_hex_prefix(s))
		return units_scan_hex(s, value);
	return scan_digits(&s, value) && !*s;
}

int units_parse_number(const char *s, uint64_t max, const char *what,
		       uint64_t *out, struct err *err)
{
	const char *p = s;
	uint64_t n;

	if (!*s || s[strspn(s, "0123456789")])
		return err_usage(err, "%s '%s': not a number", what, s);
	if (!scan_digits(&p, &n) || n > max)
		return err_usage(err, "%s %s: at most %llu", what, s,
				 (unsigned long long)max);
	*out = n;
	return 0;
}

/* Bits to shift by for a suffix letter, -1 if it is not one. */
static int suffix_shift(char c)
{
	static const char letters[] = "BKMGT";
	const char *at = strchr(letters, toupper((unsigned char)c));

	return c && at ? (int)(at - letters) * 10 : -1;
}

int units_parse_size(const char *s, const char *what, uint64_t *bytes,
		     bool *has_suffix, struct err *err)
{
	const char *p = s;
	int shift = 0;
	uint64_t n;

	if (!isdigit((unsigned char)*p))
		return err_usage(err, "%s '%s': not a size, such as 64K or 2M",
				 what, s);
	if (!scan_digits(&p, &n))
		return err_usage(err, "%s '%s': too large", what, s);
	if (has_suffix)
		*has_suffix = *p != '\0';
	if (*p) {
		shift = suffix_shift(*p);
		if (shift < 0 || p[1])
			return err_usage(err, "%s '%s': the unit must be B, K, "
					 "M, G or T", what, s);
	}
	if (n > UINT64_MAX >> shift)
		return err_usage(err, "%s '%s': too large", what, s);
	*bytes = n << shift;
	return 0;
}

/*
 * A decimal fraction without sign or exponent.  Not strtod(3), which follows
 * the locale's decimal comma and takes "inf" and "0x1p3".
 */
static bool scan_decimal(const char **s, double *value)
{
	const char *p = *s;
	bool digits = false;
	double scale = 1;
	double v = 0;

	for (; isdigit((unsigned char)*p); p++, digits = true)
		v = v * 10 + (*p - '0');
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++, digits = true)
			v += (*p - '0') * (scale /= 10);
	*s = p;
	*value = v;
	return digits;
}

int units_parse_seconds(const char *s, const char *what, double *seconds,
			struct err *err)
{
	const char *p = s;
	double v;

	if (!scan_decimal(&p, &v))
		goto bad;
	if (strcmp(p, "ms") == 0)
		v /= 1000;
	else if (strcmp(p, "m") == 0)
		v *= 60;
	else if (strcmp(p, "h") == 0)
		v *= 3600;
	else if (*p && strcmp(p, "s") != 0)
		goto bad;
	if (!(v > 0 && v <= 86400))
		return err_usage(err, "%s '%s': must be more than 0 and at "
				 "most 86400 seconds", what, s);
	*seconds = v;
	return 0;
bad:
	return err_usage(err, "%s '%s': not a time, such as 1, 0.5, 250ms or 5m",
			 what, s);
}

int units_parse_time(const char *s, double *seconds, struct err *err)
{
	const char *p = s;
	double v = 0, part;

	for (int parts = 1; scan_decimal(&p, &part); parts++) {
		v = v * 60 + part;
		if (!*p) {
			*seconds = v;
			return 0;
		}
		if (*p++ != ':' || parts == 3)
			break;
	}
	return err_usage(err, "'%s': not a time, such as 12.5 or 1:02", s);
}

/* With @decimals, or none if @v is whole, so that "64K" is exact. */
static void put_scaled(char *buf, size_t size, double v, int decimals,
		       const char *unit)
{
	if (v == floor(v))
		decimals = 0;
	snprintf(buf, size, "%.*f%s", decimals, v, unit);
}

/* Divide @v by @base until it prints as less; returns how often. */
static unsigned int scale_down(double *v, double base, unsigned int max)
{
	unsigned int i;

	for (i = 0; i < max && *v >= base - 0.5; i++)
		*v /= base;
	return i;
}

static _Atomic bool names_binary;
static _Atomic size_t page_of_rings;

void units_set_sizes(bool binary, size_t page)
{
	names_binary = binary;
	page_of_rings = page;
}

/* With "Ki" the "i" takes the column of a digit: "13Mi", and "1Mi" from 1000Ki
 * on. */
static char *put_bytes(char *buf, size_t size, double bytes, bool binary)
{
	static const char *const unit[] = { "B", "K", "M", "G", "T", "P", "E" };
	static const char *const binary_unit[] = { "B", "Ki", "Mi", "Gi", "Ti",
						   "Pi", "Ei" };
	const double tenths = binary ? 9.95 : 99.95;
	unsigned int i;

	if (!(bytes >= 0 && bytes < (binary ? 999.5 * 0x1p60 : 0x1p70))) {
		snprintf(buf, size, "-");
		return buf;
	}
	if (bytes < 1023.5) {
		snprintf(buf, size, bytes < 0.5 ? "0" : "%.0fB", bytes);
		return buf;
	}
	i = scale_down(&bytes, 1024, 6);
	if (binary && bytes >= 999.5) {	/* four digits do not fit */
		bytes /= 1024;
		i++;
	}
	/* "1M" also for what is about that: sizes are compared by eye */
	if (bytes < tenths)
		bytes = nearbyint(bytes * 10) / 10;
	put_scaled(buf, size, bytes, bytes < tenths,
		   binary ? binary_unit[i] : unit[i]);
	return buf;
}

char *units_bytes(char *buf, size_t size, double bytes)
{
	return put_bytes(buf, size, bytes, names_binary);
}

char *units_option_bytes(char *buf, size_t size, double bytes)
{
	return put_bytes(buf, size, bytes, false);
}

char *units_ring_size(char *buf, size_t size, double bytes)
{
	size_t page = page_of_rings;
	double pages = page ? bytes / (double)page : 0;

	if (!(pages >= 1 && pages < 1e5 && pages == floor(pages)))
		return units_bytes(buf, size, bytes);
	snprintf(buf, size, "%.0f", pages);
	return buf;
}

char *units_count(char *buf, size_t size, double count)
{
	static const char *const unit[] = { "", "k", "M", "G", "T", "P", "E" };
	unsigned int i;

	if (!(count >= 0 && count < 1e21)) {
		snprintf(buf, size, "-");
		return buf;
	}
	if (count > 0 && count < 0.05) {
		snprintf(buf, size, "<0.1");
		return buf;
	}
	i = scale_down(&count, 1000, 6);
	if (i == 0)
		put_scaled(buf, size, count, count < 99.95, unit[i]);
	else
		snprintf(buf, size, "%.*f%s",
			 count < 9.995 ? 2 : count < 99.95, count, unit[i]);
	return buf;
}

char *units_share(char *buf, size_t size, double share)
{
	/* 0.29 * 100 is less than 29 in binary, but must not print as 28% */
	double percent = share * 100 + 1e-9;

	if (!(share >= 0))
		snprintf(buf, size, "-");
	else if (share > 0 && percent < 0.1)
		snprintf(buf, size, "<.1%%");
	else if (share > 0 && percent < 10)
		snprintf(buf, size, "%.1f%%", floor(percent * 10) / 10);
	else
		snprintf(buf, size, "%.0f%%", floor(percent));
	return buf;
}

/* Whole @big units and the rest in @small ones, two digits: "3m20". */
static void put_pair(char *buf, size_t size, uint64_t total, uint64_t per_big,
		     char unit)
{
	snprintf(buf, size, "%llu%c%02llu",
		 (unsigned long long)(total / per_big), unit,
		 (unsigned long long)(total % per_big));
}

static void put_long_duration(char *buf, size_t size, double seconds)
{
	uint64_t s = (uint64_t)(seconds + 0.5);

	if (s < 3600)
		put_pair(buf, size, s, 60, 'm');
	else if (s < 86400)
		put_pair(buf, size, s / 60, 60, 'h');
	else if (s < 100 * 86400)
		put_pair(buf, size, s / 3600, 24, 'd');
	else
		snprintf(buf, size, "%llud", (unsigned long long)(s / 86400));
}

char *units_duration(char *buf, size_t size, double seconds)
{
	static const char *const unit[] = { "ns", "us", "ms" };
	double v = seconds * 1e9;
	unsigned int i;

	if (!(seconds >= 0 && seconds < 1e4 * 86400)) {
		snprintf(buf, size, "-");
		return buf;
	}
	if (v < 0.5) {
		snprintf(buf, size, "0");
		return buf;
	}
	for (i = 0; i < 3 && v >= 999.5; i++)
		v /= 1000;
	if (i < 3)
		put_scaled(buf, size, v, v < 9.95, unit[i]);
	else if (v < 59.95)
		put_scaled(buf, size, v, 1, "s");
	else
		put_long_duration(buf, size, v);
	return buf;
}

bool units_clock(char *buf, size_t size, double seconds,
		 enum units_clock form)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (localtime_r(&t, &tm) &&
	    strftime(buf, size,
		     form == UNITS_CLOCK_TIME ? "%T" :
		     form == UNITS_CLOCK_DATE ? "%F %T" : "%Y%m%d-%H%M%S",
		     &tm))
		return true;
	snprintf(buf, size, "-");
	return false;
}

const char *units_exact(char *buf, uint64_t n)
{
	char *p = buf + UNITS_EXACT - 1;
	unsigned int digits = 0;

	*p = '\0';
	do {
		if (digits && digits % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + n % 10);
		digits++;
		n /= 10;
	} while (n);
	return p;
}

const char *units_records(char *buf, uint64_t n)
{
	char number[UNITS_EXACT];

	snprintf(buf, UNITS_RECORDS, "%s record%s", units_exact(number, n),
		 n == 1 ? "" : "s");
	return buf;
}

uint64_t units_round_pow2(uint64_t n)
{
	if (n <= 1)
		return 1;
	if (n > 1ULL << 63)
		return 0;
	return 1ULL << (64 - __builtin_clzll(n - 1));
}
