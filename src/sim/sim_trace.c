/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets and their sizes: Intel SDM, volume 3, "Intel Processor Trace",
 * "Packet Definitions".
 */
#include "sim/sim_trace.h"

#include <string.h>
#include <sys/param.h>

enum {
	PSB_BYTES = 16,
	TSC_OPCODE = 0x19,
	TSC_BYTES = 8,		/* opcode, and seven bytes of the counter */
	PTWRITE_BYTES = 10,	/* two bytes of opcode, eight of value */
};

void sim_trace_init(struct sim_trace *trace, uint64_t seed, int cpu,
		    unsigned char *data, uint64_t size)
{
	*trace = (struct sim_trace){
		.data = data,
		.size = size,
		.base = seed ^ (uint64_t)cpu << 48,
	};
}

static unsigned char *put_psb(unsigned char *to)
{
	static const unsigned char pair[2] = { 0x02, 0x82 };

	for (int i = 0; i < PSB_BYTES; i += 2)
		memcpy(to + i, pair, sizeof(pair));
	return to + PSB_BYTES;
}

/* The counter counts ns. */
static unsigned char *put_tsc(unsigned char *to, uint64_t time)
{
	*to = TSC_OPCODE;
	for (int i = 1; i < TSC_BYTES; i++, time >>= 8)
		to[i] = (unsigned char)time;
	return to + TSC_BYTES;
}

static unsigned char *put_psbend(unsigned char *to)
{
	static const unsigned char psbend[2] = { 0x02, 0x23 };

	memcpy(to, psbend, sizeof(psbend));
	return to + sizeof(psbend);
}

static unsigned char *put_ptwrite(unsigned char *to, uint64_t value)
{
	static const unsigned char ptwrite[2] = { 0x02, 0x32 };

	memcpy(to, ptwrite, sizeof(ptwrite));
	memcpy(to + sizeof(ptwrite), &value, sizeof(value));
	return to + PTWRITE_BYTES;
}

/* The rest of a block is PAD packets, which are 0. */
static void make_block(struct sim_trace *trace, uint64_t position,
		       uint64_t time)
{
	unsigned char *at = trace->block;

	_Static_assert(PSB_BYTES + TSC_BYTES + 2 +
		       SIM_TRACE_PTWRITES * PTWRITE_BYTES <= SIM_TRACE_BLOCK,
		       "they fit");
	at = put_psbend(put_tsc(put_psb(at), time));
	for (int i = 0; i < SIM_TRACE_PTWRITES; i++)
		at = put_ptwrite(at, trace->base + position +
				 (uint64_t)(at - trace->block));
}

void sim_trace_write(struct sim_trace *trace, uint64_t from, uint64_t to,
		     uint64_t time)
{
	uint64_t begin = trace->time ? trace->time : time;
	double pace = (double)(time - begin) / (double)MAX(to - from, 1);

	for (uint64_t at = from, len; at < to; at += len) {
		uint64_t offset = at % SIM_TRACE_BLOCK;

		if (!offset)
			make_block(trace, at, begin +
				   (uint64_t)((double)(at - from) * pace));
		len = MIN(SIM_TRACE_BLOCK - offset, to - at);
		/* the size of the area is a multiple of a block */
		memcpy(trace->data + (at & (trace->size - 1)),
		       trace->block + offset, len);
	}
	trace->time = time;
}
