/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/units.h"

TEST(test_number)
{
	struct err err = { 0 };
	uint64_t n = 7;

	assert_int_equal(units_parse_number("0", 10, "-n", &n, &err), 0);
	assert_int_equal(n, 0);
	assert_int_equal(units_parse_number("18446744073709551615", UINT64_MAX,
					    "-n", &n, &err), 0);
	assert_true(n == UINT64_MAX);
	assert_int_equal(err.kind, ERR_NONE);
}

TEST(test_bad_number)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "0x10",
					   "1k", "abc", "11",
					   "18446744073709551616" };
	struct err err;
	uint64_t n = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_true(units_parse_number(bad[i], 10, "-n", &n, &err) < 0);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_non_null(strstr(err.text, "-n"));
		assert_int_equal(n, 7);
	}
}

static void check_size(const char *s, uint64_t bytes, bool suffix)
{
	struct err err = { 0 };
	bool has = !suffix;
	uint64_t n;

	assert_int_equal(units_parse_size(s, "-m", &n, &has, &err), 0);
	assert_true(n == bytes);
	assert_int_equal(has, suffix);
}

TEST(test_size)
{
	uint64_t n;

	check_size("0", 0, false);
	check_size("128", 128, false);
	check_size("5B", 5, true);
	check_size("64K", 65536, true);
	check_size("64k", 65536, true);
	check_size("2M", 2097152, true);
	check_size("1G", 1ULL << 30, true);
	check_size("3t", 3ULL << 40, true);
	check_size("16777215T", 16777215ULL << 40, true);
	assert_int_equal(units_parse_size("1K", "-m", &n, NULL, NULL), 0);
}

TEST(test_bad_size)
{
	static const char *const bad[] = { "", "K", "-1", " 1", "1KB", "1 K",
					   "1.5M", "1X", "16777216T",
					   "99999999999999999999" };
	struct err err;
	uint64_t n = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_true(units_parse_size(bad[i], "-m", &n, NULL, &err) < 0);
		assert_int_equal(err_exit_status(&err), 2);
		assert_int_equal(n, 7);
	}
}

TEST(test_seconds)
{
	static const struct { const char *s; double seconds; } good[] = {
		{ "1", 1 }, { "0.5", 0.5 }, { ".25", 0.25 }, { "2.", 2 },
		{ "250ms", 0.25 }, { "1s", 1 }, { "86400", 86400 },
		{ "0.125s", 0.125 }, { "5m", 300 }, { "1.5h", 5400 },
	};
	static const char *const bad[] = {
		"", ".", "0", "0.0", "-1", "+1", "86401", "1M", "25h", "1e3", "inf",
		"nan", "0x1", "1,5", " 1", "1 ", "99999999999999999999999",
	};
	struct err err = { 0 };
	double v = 7;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(units_parse_seconds(good[i].s, "-d", &v,
						     &err), 0);
		assert_true(fabs(v - good[i].seconds) < 1e-12);
	}
	v = 7;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_true(units_parse_seconds(bad[i], "-d", &v, &err) < 0);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_true(v == 7);
	}
}

TEST(test_parse_time)
{
	static const struct {
		const char *s;
		double seconds;
	} good[] = {
		{ "0", 0 }, { "12.5", 12.5 }, { ".5", 0.5 }, { "1:02", 62 },
		{ "00:00:12.345", 12.345 }, { "1:02:03.5", 3723.5 },
		{ "90:00", 5400 }, { "5123.456", 5123.456 },
	};
	static const char *const bad[] = {
		"", ":", "1:", ":1", "1::2", "1:2:3:4", "1:2:3:", "-1", "x",
		"1x", "1s", " 1", "1 ", "1e3", "nan", ".", "1:.",
	};
	struct err err = { 0 };
	double v = 7;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(units_parse_time(good[i].s, &v, &err), 0);
		assert_true(fabs(v - good[i].seconds) < 1e-9);
	}
	v = 7;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		if (units_parse_time(bad[i], &v, &err) >= 0)
			fail_msg("'%s' was taken for a time", bad[i]);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_true(v == 7);
	}
}

TEST(test_scan)
{
	static const char *const bad[] = {
		"", "x", "0x", " 1", "+1", "-1", "1 ", "a", "0x1g",
		"18446744073709551616", "0x10000000000000000",
	};
	uint64_t n = 0;

	assert_true(units_scan_number("18446744073709551615", &n));
	assert_int_equal(n, UINT64_MAX);
	assert_true(units_scan_number("0X1f", &n));
	assert_int_equal(n, 0x1f);
	assert_true(units_scan_number("010", &n));
	assert_int_equal(n, 10);
	assert_true(units_scan_hex("1a8", &n));
	assert_int_equal(n, 0x1a8);
	assert_true(units_scan_hex("0x1a8", &n));
	assert_int_equal(n, 0x1a8);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(units_scan_number(bad[i], &n));
	assert_false(units_scan_hex("0x0x1", &n));
	assert_false(units_scan_hex("", &n));
}

struct shown {
	double value;
	const char *text;
};

static void check_shown(char *(*fn)(char *, size_t, double),
			const struct shown *shown, size_t nr)
{
	char buf[16];

	for (size_t i = 0; i < nr; i++) {
		assert_ptr_equal(fn(buf, sizeof(buf), shown[i].value), buf);
		assert_string_equal(buf, shown[i].text);
		assert_true(strlen(buf) <= 5);
	}
}

#define CHECK_SHOWN(fn, shown) \
	check_shown(fn, shown, sizeof(shown) / sizeof((shown)[0]))

TEST(test_show_bytes)
{
	static const struct shown shown[] = {
		{ 0, "0" }, { 1, "1B" }, { 999, "999B" }, { 1023, "1023B" },
		{ 1024, "1K" }, { 1536, "1.5K" }, { 65536, "64K" },
		{ 102399, "100K" }, { 524288, "512K" }, { 1048575, "1M" },
		{ 1080000, "1M" }, { 1153434, "1.1M" }, { 90100000, "85.9M" },
		{ 1048576, "1M" }, { 1572864, "1.5M" }, { 13107200, "12.5M" },
		{ 1073741824, "1G" }, { 1e12, "931G" }, { 0x1p60, "1E" },
		{ 0x1p69, "512E" }, { -1, "-" }, { NAN, "-" },
		{ INFINITY, "-" },
	};

	CHECK_SHOWN(units_bytes, shown);
}

/* No wider than without the "i". */
TEST(test_show_binary)
{
	static const struct shown shown[] = {
		{ 0, "0" }, { 1023, "1023B" }, { 1024, "1Ki" },
		{ 1536, "1.5Ki" }, { 65536, "64Ki" }, { 10150, "9.9Ki" },
		{ 10200, "10Ki" }, { 102399, "100Ki" }, { 524288, "512Ki" },
		{ 999 * 1024.0, "999Ki" }, { 1000 * 1024.0, "1Mi" },
		{ 1153434, "1.1Mi" }, { 13107200, "12Mi" },
		{ 0x1p30, "1Gi" }, { 1e12, "931Gi" }, { 0x1p69, "512Ei" },
		{ 1000 * 0x1p60, "-" }, { -1, "-" }, { NAN, "-" },
	};
	char buf[16];

	units_set_sizes(true, 0);
	CHECK_SHOWN(units_bytes, shown);
	CHECK_SHOWN(units_ring_size, shown);
	assert_string_equal(units_option_bytes(buf, sizeof(buf), 65536), "64K");
	units_set_sizes(false, 0);
	assert_string_equal(units_bytes(buf, sizeof(buf), 65536), "64K");
}

/* As perf's -m takes it: a bare number is pages. */
TEST(test_show_pages)
{
	static const struct shown shown[] = {
		{ 0, "0" }, { 4096, "1" }, { 786432, "192" },
		{ 0x1p28, "65536" }, { 0x1p29, "512M" }, { 6144, "6K" },
		{ 100, "100B" }, { NAN, "-" }, { -4096, "-" },
	};
	char buf[16];

	units_set_sizes(false, 4096);
	CHECK_SHOWN(units_ring_size, shown);
	assert_string_equal(units_bytes(buf, sizeof(buf), 65536), "64K");
	units_set_sizes(false, 0);
	assert_string_equal(units_ring_size(buf, sizeof(buf), 65536), "64K");
}

TEST(test_show_count)
{
	static const struct shown shown[] = {
		{ 0, "0" }, { 7, "7" }, { 0.5, "0.5" }, { 12.34, "12.3" },
		{ 123.4, "123" }, { 999, "999" }, { 999.6, "1.00k" },
		{ 1000, "1.00k" }, { 1234, "1.23k" }, { 12000, "12.0k" },
		{ 12345, "12.3k" },
		{ 123456, "123k" }, { 999499, "999k" }, { 999500, "1.00M" },
		{ 4560000, "4.56M" }, { 1e9, "1.00G" }, { 1.5e18, "1.50E" },
		{ 1.8e19, "18.0E" }, { 0.04, "<0.1" }, { 0.05, "0.1" },
		{ -1, "-" }, { NAN, "-" },
	};

	CHECK_SHOWN(units_count, shown);
}

TEST(test_show_share)
{
	static const struct shown shown[] = {
		{ 0, "0%" }, { 1e-12, "<.1%" }, { 0.0004, "<.1%" },
		{ 0.000999, "<.1%" }, { 0.001, "0.1%" }, { 0.041, "4.1%" },
		{ 0.0999, "9.9%" }, { 0.1, "10%" }, { 0.29, "29%" },
		{ 0.9999, "99%" }, { 1, "100%" }, { NAN, "-" }, { -1, "-" },
	};

	CHECK_SHOWN(units_share, shown);
}

TEST(test_show_duration)
{
	static const struct shown shown[] = {
		{ 0, "0" }, { 1e-10, "0" }, { 250e-9, "250ns" },
		{ 1e-6, "1us" }, { 3.42e-6, "3.4us" }, { 12e-6, "12us" },
		{ 999.7e-6, "1.0ms" }, { 3.4e-3, "3.4ms" },
		{ 120e-3, "120ms" }, { 1, "1s" }, { 1.25, "1.2s" },
		{ 59.94, "59.9s" }, { 59.96, "1m00" }, { 200, "3m20" },
		{ 3599, "59m59" }, { 3599.9, "1h00" }, { 7500, "2h05" },
		{ 86399, "23h59" }, { 86400 + 3 * 3600, "1d03" },
		{ 100 * 86400.0, "100d" }, { -1, "-" }, { NAN, "-" },
		{ 1e300, "-" },
	};

	CHECK_SHOWN(units_duration, shown);
}

TEST(test_cut_when_buffer_is_short)
{
	char buf[3];

	assert_string_equal(units_bytes(buf, sizeof(buf), 512 * 1024), "51");
}

TEST(test_pow2)
{
	assert_true(units_round_pow2(0) == 1);
	assert_true(units_round_pow2(1) == 1);
	assert_true(units_round_pow2(2) == 2);
	assert_true(units_round_pow2(3) == 4);
	assert_true(units_round_pow2(4096) == 4096);
	assert_true(units_round_pow2(4097) == 8192);
	assert_true(units_round_pow2(1ULL << 63) == 1ULL << 63);
	assert_true(units_round_pow2((1ULL << 63) + 1) == 0);
	assert_true(units_round_pow2(UINT64_MAX) == 0);
}

TEST(test_clock)
{
	char buf[32];

	setenv("TZ", "UTC0", 1);
	tzset();
	assert_true(units_clock(buf, sizeof(buf), 1700000000.9,
				UNITS_CLOCK_DATE));
	assert_string_equal(buf, "2023-11-14 22:13:20");
	assert_true(units_clock(buf, sizeof(buf), 1700000000,
				UNITS_CLOCK_STAMP));
	assert_string_equal(buf, "20231114-221320");
	assert_false(units_clock(buf, 4, 0, UNITS_CLOCK_TIME));
	assert_string_equal(buf, "-");
	assert_false(units_clock(buf, sizeof(buf), 1e18, UNITS_CLOCK_TIME));
	assert_string_equal(buf, "-");
}

TEST(exact)
{
	char buf[UNITS_RECORDS];

	assert_string_equal(units_exact(buf, 0), "0");
	assert_string_equal(units_exact(buf, 999), "999");
	assert_string_equal(units_exact(buf, 1000), "1,000");
	assert_string_equal(units_records(buf, 1), "1 record");
	assert_string_equal(units_records(buf, 1234), "1,234 records");
	assert_string_equal(units_exact(buf, UINT64_MAX),
			    "18,446,744,073,709,551,615");
}

TEST_GROUP(units);
