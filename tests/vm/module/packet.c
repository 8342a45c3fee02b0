// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes packets into the pages of an AUX buffer. */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "mimic.h"

static const u8 pt_template[MIMIC_PT72_UNIT] = MIMIC_PT_TEMPLATE;

static void pt_fields(u8 *to, const struct mimic_stream *stream, u64 tsc,
		      u8 cpu)
{
	/* The eighth byte is MODE's opcode. */
	u64 time = (tsc & MIMIC_TSC_MASK) | 0x99ULL << 56;
	u64 seal = mimic_seal(stream->seq, tsc, 0, stream->id, cpu);

	memcpy(to + MIMIC_PT_TSC, &time, sizeof(time));
	memcpy(to + MIMIC_PT_SEQ, &stream->seq, sizeof(stream->seq));
	memcpy(to + MIMIC_PT_SEAL, &seal, sizeof(seal));
}

/*
 * The sizes of the copies are constants, so that the compiler makes moves of
 * them: memcpy()'s rep movsb would cost an emulator a step per byte.
 */
static void pt_pack(void *to, const struct mimic_stream *stream, u64 tsc,
		    u8 cpu)
{
	memcpy(to, pt_template, MIMIC_PT_UNIT);
	pt_fields(to, stream, tsc, cpu);
}

static void pt72_pack(void *to, const struct mimic_stream *stream, u64 tsc,
		      u8 cpu)
{
	memcpy(to, pt_template, MIMIC_PT72_UNIT);
	pt_fields(to, stream, tsc, cpu);
}

static void bts_pack(void *to, const struct mimic_stream *stream, u64 tsc,
		     u8 cpu)
{
	struct mimic_bts record = {
		.seq = stream->seq,
		.seal = mimic_seal(stream->seq, tsc, 0, stream->id, cpu),
		.tsc = tsc & MIMIC_TSC_MASK,
	};

	memcpy(to, &record, sizeof(record));
}

static void raw_pack(void *to, const struct mimic_stream *stream, u64 tsc,
		     u8 cpu)
{
	struct mimic_raw record = {
		.magic = MIMIC_RAW_MAGIC,
		.seq = stream->seq,
		.seal = mimic_seal(stream->seq, tsc, stream->dropped,
				   stream->id, cpu),
		.tsc = tsc & MIMIC_TSC_MASK,
		.dropped = stream->dropped,
	};

	memcpy(to, &record, sizeof(record));
}

static const struct mimic_form forms[] = {
	{ "pt", MIMIC_PT_UNIT, false, pt_pack },
	{ "pt72", MIMIC_PT72_UNIT, false, pt72_pack },
	{ "bts", sizeof(struct mimic_bts), true, bts_pack },
	{ "raw", sizeof(struct mimic_raw), false, raw_pack },
};

const struct mimic_form *mimic_form_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(forms[i].name, name))
			return &forms[i];
	return NULL;
}

/* A packet that continues in the next page, which may be the first one. */
static void write_split(const struct mimic_stream *stream, u64 position,
			const u8 *packet, u32 len)
{
	u64 offset = offset_in_page(position);
	u32 part = PAGE_SIZE - offset;

	memcpy(stream->pages[position >> PAGE_SHIFT] + offset, packet, part);
	position = (position + part) & (stream->size - 1);
	memcpy(stream->pages[position >> PAGE_SHIFT], packet + part,
	       len - part);
}

/* Write the next packet of the stream and advance the position. */
void mimic_form_write(const struct mimic_form *form,
		      struct mimic_stream *stream, u64 *position, u64 tsc,
		      u8 cpu)
{
	u64 offset = offset_in_page(*position);
	u8 packet[MIMIC_PT72_UNIT];

	if (offset + form->unit <= PAGE_SIZE) {
		form->pack(stream->pages[*position >> PAGE_SHIFT] + offset,
			   stream, tsc, cpu);
	} else {
		form->pack(packet, stream, tsc, cpu);
		write_split(stream, *position, packet, form->unit);
	}
	*position = (*position + form->unit) & (stream->size - 1);
	stream->seq++;
	stream->packets++;
	stream->bytes += form->unit;
}
