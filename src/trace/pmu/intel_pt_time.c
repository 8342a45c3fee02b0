/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets and their sizes: Intel SDM, volume 3, "Intel Processor Trace",
 * "Packet Definitions".
 */
#include "trace/pmu/intel_pt_time.h"

#include <string.h>

enum {
	PSB_BYTES = 16,
	TSC_OPCODE = 0x19,
	TSC_BYTES = 8,
	TSC_BITS = 56,
	EXTENDED = 0x02,	/* first byte of a two-byte opcode */
	MODE_OPCODE = 0x99,
	FUP_OPCODE = 0x1d,	/* in the low five bits */
};

static const unsigned char psb[PSB_BYTES] = {
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82,
};

/* The size of a packet with a two-byte opcode; 0: cannot follow a PSB. */
static size_t extended_size(unsigned char second)
{
	switch (second) {
	case 0x82:
		return 2;	/* PSB; the match was of earlier bytes */
	case 0x03:
		return 4;	/* CBR */
	case 0x43:
		return 8;	/* PIP */
	case 0x73:
		return 7;	/* TMA */
	case 0xc8:
		return 7;	/* VMCS */
	case 0xc3:
		return 11;	/* MNT */
	default:
		return 0;
	}
}

/* The size of the packet at @at; 0: unknown, or cut off. */
static size_t packet_size(const unsigned char *at, size_t left)
{
	static const unsigned char ip_bytes[8] = { 0, 2, 4, 6, 6, 0, 8, 0 };
	size_t size = 0;

	if (!at[0])
		size = 1;	/* PAD */
	else if (at[0] == EXTENDED && left > 1)
		size = extended_size(at[1]);
	else if (at[0] == MODE_OPCODE)
		size = 2;
	else if ((at[0] & 0x1f) == FUP_OPCODE)
		size = (size_t)1 + ip_bytes[at[0] >> 5];
	return size <= left ? size : 0;
}

/* The TSC packet after a PSB, before other packets than its own; or NULL. */
static const unsigned char *find_tsc(const unsigned char *at, size_t left)
{
	while (left && at[0] != TSC_OPCODE) {
		size_t size = packet_size(at, left);

		if (!size)
			return NULL;
		at += size;
		left -= size;
	}
	return left >= TSC_BYTES ? at : NULL;
}

uint64_t intel_pt_oldest(const struct perf_time_conv *conv, uint64_t now,
			 const unsigned char *trace, size_t len)
{
	const uint64_t span = UINT64_C(1) << TSC_BITS;
	const unsigned char *first = memmem(trace, len, psb, sizeof(psb));
	uint64_t tsc = 0;

	if (!first || !conv->cap_user_time_zero)
		return 0;
	first += sizeof(psb);
	first = find_tsc(first, len - (size_t)(first - trace));
	if (!first)
		return 0;
	for (int i = TSC_BYTES - 1; i > 0; i--)
		tsc = tsc << 8 | first[i];
	/* the upper bits of @now, or one less if that is later than @now */
	tsc |= now & ~(span - 1);
	if (tsc > now && tsc < span)
		return 0;
	return perf_clock_at(conv, tsc > now ? tsc - span : tsc);
}
