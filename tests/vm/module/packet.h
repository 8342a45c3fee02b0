/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The packets that the mimic writes: each one shows whether it is complete,
 * which packet it is, and which buffer it was written to.
 *
 * pt	a unit of real Intel PT: PSB, TSC, MODE.Exec, FUP, PSBEND, a PTW with
 *	the sequence number, a PTW with the seal word, PAD up to 64 bytes
 *	(pt72: up to 72, which divides no page)
 * bts	a branch record: from is the sequence number, to the seal word, misc
 *	the time
 * raw	the fields of struct mimic_raw
 *
 * The sequence number counts per AUX buffer ("stream") from 0; dropped packets
 * have numbers too.  Included by the module and by its checker.
 */
#ifndef MIMIC_PACKET_H
#define MIMIC_PACKET_H

#ifndef __KERNEL__
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

/* Offsets of the variable fields in the PT unit. */
enum {
	MIMIC_PT_TSC = 17, /* 7 bytes */
	MIMIC_PT_SEQ = 37,
	MIMIC_PT_SEAL = 47,
	MIMIC_PT_LEN = 55, /* from here on PAD */
	MIMIC_PT_UNIT = 64,
	MIMIC_PT72_UNIT = 72,
};

#define MIMIC_TSC_MASK ((1ULL << 56) - 1)

/* clang-format off */
#define MIMIC_PT_TEMPLATE { \
	/* PSB */ \
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, \
	0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, \
	/* TSC */ \
	0x19, 0, 0, 0, 0, 0, 0, 0, \
	/* MODE.Exec, 64 bit */ \
	0x99, 0x01, \
	/* FUP, six bytes of address: 0x400000 */ \
	0x7d, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00, \
	/* PSBEND */ \
	0x02, 0x23, \
	/* PTW of eight bytes, twice */ \
	0x02, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, \
	0x02, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, \
}
/* clang-format on */

struct mimic_bts {
	u64 seq;
	u64 seal;
	u64 tsc;
};

#define MIMIC_RAW_MAGIC 0xb10c5eedc0ffee42ULL

/* 40 bytes: divides no page either. */
struct mimic_raw {
	u64 magic;
	u64 seq;
	u64 seal;
	u64 tsc;
	u64 dropped; /* so far, in this stream */
};

/*
 * The seal word: CPU in bits 0-7, stream in 8-23, and 40 bits that depend on
 * these and on every other field.  A multiplication mixes as well as a CRC for
 * such a short message, and costs an emulated CPU almost nothing.
 */
static inline u64 mimic_seal(u64 seq, u64 tsc, u64 extra, u16 stream, u8 cpu)
{
	u64 who = (u64)stream << 8 | cpu;
	u64 mix = seq * 0x9e3779b97f4a7c15ULL;

	mix = (mix ^ (mix >> 32) ^ (tsc & MIMIC_TSC_MASK)) *
	      0xd6e8feb86659fd93ULL;
	mix = (mix ^ (mix >> 32) ^ who ^ extra << 24) * 0xc2b2ae3d27d4eb4fULL;
	return (mix ^ mix >> 29) << 24 | who;
}

#endif
