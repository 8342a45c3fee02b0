/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as people write and read them. */
#ifndef RBTOP_BASE_UNITS_H
#define RBTOP_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * Parse all of @s as a number, decimal or hex after 0x; and as hex with or
 * without 0x.  No sign, no space.  False if @s is anything else or exceeds 64
 * bits.
 */
bool units_scan_number(const char *s, uint64_t *value);
bool units_scan_hex(const char *s, uint64_t *value);

/*
 * Parse a plain decimal number of at most @max.  @what names it in the error.
 * Returns 0, or -EINVAL with @err set (ERR_USAGE).
 */
int units_parse_number(const char *s, uint64_t max, const char *what,
		       uint64_t *out, struct err *err);

/*
 * Parse a size in bytes: a number with an optional suffix B, K, M, G or T
 * (powers of 1024, either case).  *@has_suffix, if not NULL, is set to whether
 * there was one, since perf's -m takes a bare number as pages.  Returns 0, or
 * -EINVAL with @err set (ERR_USAGE).
 */
int units_parse_size(const char *s, const char *what, uint64_t *bytes,
		     bool *has_suffix, struct err *err);

/*
 * Parse seconds: "1", "0.5", "250ms", "5m", "2h".  Range: 0 < s <= 86400.
 * Returns 0, or -EINVAL with @err set (ERR_USAGE).
 */
int units_parse_seconds(const char *s, const char *what, double *seconds,
			struct err *err);

/*
 * Parse a time of day or since a start, in seconds, minutes and hours: "12.5",
 * "1:02", "1:02:03.5".  Returns 0, or -EINVAL with @err set (ERR_USAGE).
 */
int units_parse_time(const char *s, double *seconds, struct err *err);

/*
 * Write @bytes for a screen: at most 5 columns plus NUL ("0", "999B", "64K",
 * "1.5M", "512K"; "-" if it is not a size), without ".0".  Returns @buf.
 */
char *units_bytes(char *buf, size_t size, double bytes);
/* The same as an option of a command takes it, whatever units_set_sizes()
 * says: "64K". */
char *units_option_bytes(char *buf, size_t size, double bytes);
/*
 * The size of a ring, as units_bytes(); or as perf's -m takes it, see
 * units_set_sizes(): pages as a bare number of at most 5 digits, "128", and
 * what they do not express in bytes with their unit, "512M".
 */
char *units_ring_size(char *buf, size_t size, double bytes);
/*
 * How the functions above write, in all threads: with @binary "64Ki" instead of
 * "64K", at the cost of a digit ("13Mi" for "12.6M"), and sizes of rings in
 * pages of @page bytes, or in bytes if it is 0.
 */
void units_set_sizes(bool binary, size_t page);

/*
 * A count with decimal suffixes: "0", "999", "12.3k", "4.56M" (max 5 cols).
 * With a suffix always three digits, to keep columns even; "<0.1" for 0 < count
 * < 0.05.
 */
char *units_count(char *buf, size_t size, double count);

/* A count with all digits, as "1,234,567" in any locale, in @buf of
 * UNITS_EXACT bytes.  Returns a place in it. */
enum { UNITS_EXACT = 27 };
const char *units_exact(char *buf, uint64_t n);
/* The same with its noun, "1 record", "1,234 records"; UNITS_RECORDS bytes. */
enum { UNITS_RECORDS = UNITS_EXACT + sizeof(" records") - 1 };
const char *units_records(char *buf, uint64_t n);

/*
 * A share 0..1 in percent: "0%", "5.3%", "63%", "100%" (max 4 cols).
 * Truncated, not rounded, so that 100% means full; "<.1%" for less than that
 * but more than 0.
 */
char *units_share(char *buf, size_t size, double share);

/* A duration in seconds: "12us", "3.4ms", "1.2s", "3m20", "2h05" (5 cols). */
char *units_duration(char *buf, size_t size, double seconds);

enum units_clock {
	UNITS_CLOCK_TIME,	/* "22:13:20" */
	UNITS_CLOCK_DATE,	/* "2023-11-14 22:13:20" */
	UNITS_CLOCK_STAMP,	/* "20231114-221320": for names of files */
};

/*
 * Local time at @seconds of unix time.  False, and "-", where that is no time
 * of any calendar.
 */
bool units_clock(char *buf, size_t size, double seconds,
		 enum units_clock form);

/* The smallest power of two >= @n (1 for 0); 0 on overflow. */
uint64_t units_round_pow2(uint64_t n);

#endif
