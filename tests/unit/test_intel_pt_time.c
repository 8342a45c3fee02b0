/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/group.h"

#include <string.h>

#include "trace/pmu/intel_pt.h"

#define PSB "\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82\x02\x82"
#define PSBEND "\x02\x23"
/* TSC 0x1234567 and 0x1234599 */
#define TSC "\x19\x67\x45\x23\x01\0\0\0"
#define LATER "\x19\x99\x45\x23\x01\0\0\0"

/* A counter of 2 GHz; 0 is at 1000 ns. */
static const struct perf_time_conv conv = {
	.time_shift = 1, .time_mult = 1, .time_zero = 1000,
	.cap_user_time_zero = true, .time_mask = UINT64_MAX,
};

static uint64_t oldest_at(const char *trace, size_t len, uint64_t now)
{
	return intel_pt_oldest(&conv, now, (const unsigned char *)trace, len);
}

#define NOW UINT64_C(0x2000000)
#define OLDEST(text) oldest_at(text, sizeof(text) - 1, NOW)
#define AT(cycles) (1000 + (uint64_t)(cycles) / 2)

TEST(test_first)
{
	assert_int_equal(OLDEST(PSB TSC PSBEND PSB LATER PSBEND), AT(0x1234567));
	/* trace before the PSB cannot be decoded */
	assert_int_equal(OLDEST(LATER "\x82\x02\x82" PSB TSC PSBEND),
			 AT(0x1234567));
	assert_int_equal(OLDEST("\x82\x02\x82\x02" PSB TSC), AT(0x1234567));
}

/* The TSC packet is among others, in any order. */
TEST(test_others)
{
	assert_int_equal(OLDEST(PSB "\0\0\0" TSC), AT(0x1234567));
	/* CBR, MODE, PIP, VMCS, TMA, MNT; FUP of each size */
	assert_int_equal(OLDEST(PSB "\x02\x03\x27\0" "\x99\x19"
				"\x02\x43\x19\x19\x19\x19\x19\x19"
				"\x02\xc8\x19\x19\x19\x19\x19"
				"\x02\x73\x19\x19\x19\x19\x19"
				"\x02\xc3\x88\x19\x19\x19\x19\x19\x19\x19\x19"
				TSC), AT(0x1234567));
	assert_int_equal(OLDEST(PSB "\x1d" "\x3d\x19\x19" "\x5d\x19\x19\x19\x19"
				"\x7d\x19\x19\x19\x19\x19\x19"
				"\x9d\x19\x19\x19\x19\x19\x19"
				"\xdd\x19\x19\x19\x19\x19\x19\x19\x19" TSC),
			 AT(0x1234567));
}

/* An unknown time, not a wrong one. */
TEST(test_none)
{
	const struct perf_time_conv none = { .time_mask = UINT64_MAX };

	assert_int_equal(OLDEST(""), 0);
	assert_int_equal(OLDEST(TSC), 0);
	assert_int_equal(OLDEST(PSB), 0);
	assert_int_equal(OLDEST(PSB PSBEND TSC), 0);
	assert_int_equal(OLDEST(PSB PSBEND PSB TSC), 0);
	assert_int_equal(OLDEST(PSB "\x02\xf3" TSC), 0);
	assert_int_equal(OLDEST(PSB "\xff" TSC), 0);
	assert_int_equal(OLDEST(PSB "\x19\x67\x45\x23\x01\0\0"), 0);
	assert_int_equal(OLDEST(PSB "\x7d\x19\x19"), 0);
	assert_int_equal(OLDEST(PSB "\x02"), 0);
	assert_int_equal(intel_pt_oldest(&none, NOW, (const unsigned char *)
					 PSB TSC, 24), 0);
}

/* A TSC packet has the lower 56 bits of the counter. */
TEST(test_upper_bits)
{
	const uint64_t bit = UINT64_C(1) << 56;

	assert_int_equal(oldest_at(PSB TSC, 24, 5 * bit + 0x1234567),
			 AT(5 * bit + 0x1234567));
	assert_int_equal(oldest_at(PSB TSC, 24, 5 * bit + 0x1234566),
			 AT(4 * bit + 0x1234567));
	/* in the future: a guest's */
	assert_int_equal(oldest_at(PSB TSC, 24, 0x1234566), 0);
}

TEST_GROUP(intel_pt_time);
