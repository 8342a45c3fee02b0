/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "samples/sample_columns.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum { DECIMALS = 6 };	/* of TIME: microseconds */

#define SAMPLE_COLUMN(id, name, header, width, shown, help) \
	{ name, header, width, shown, help },
static const struct sample_column_info infos[SAMPLE_COLUMNS] = {
#include "samples/sample_columns.def"
};
#undef SAMPLE_COLUMN

const struct sample_column_info *sample_column_info(enum sample_column column)
{
	return &infos[column];
}

enum sample_column sample_column_find(const char *id)
{
	for (int i = 0; i < SAMPLE_COLUMNS; i++)
		if (!strcasecmp(infos[i].id, id))
			return (enum sample_column)i;
	return SAMPLE_COLUMNS;
}

static bool has(const struct feed_sample *s, uint64_t field)
{
	return s->fields & field;
}

static void symbol_text(const struct symbol *symbol, const char *dso,
			char *buf, size_t size)
{
	bool named = strcmp(symbol->name, "[unknown]") != 0;
	char offset[24] = "";

	if (named && symbol->offset)
		snprintf(offset, sizeof(offset), "+0x%" PRIx64,
			 symbol->offset);
	snprintf(buf, size, "%s%s%s%s%s", symbol->name, offset,
		 dso ? " (" : "", dso ? dso : "", dso ? ")" : "");
	text_sanitize(buf);	/* a character may be cut in two */
}

char *sample_column_symbol(const struct symbol *symbol, bool dso, char *buf,
			   size_t size)
{
	symbol_text(symbol, dso ? symbol->dso : NULL, buf, size);
	return buf;
}

/* Names of bits or numbers of a data source, see perf_event_open(2). */
struct word {
	unsigned int value;
	const char *word;
};

static const char *word_of(const struct word *words, size_t nr,
			   unsigned int value)
{
	for (size_t i = 0; i < nr; i++) {
		if (words[i].value == value)
			return words[i].word;
	}
	return NULL;
}

#define WORD_OF(words, value) \
	word_of(words, sizeof(words) / sizeof((words)[0]), value)

static void add_word(char *buf, size_t size, const char *before,
		     const char *word)
{
	text_append(buf, size, "%s%s", buf[0] ? before : "", word);
}

/* Append the words of all bits of @value that have one. */
static void add_bits(char *buf, size_t size, const struct word *words,
		     size_t nr, unsigned int value)
{
	for (size_t i = 0; i < nr; i++) {
		if (value & words[i].value)
			add_word(buf, size, " ", words[i].word);
	}
}

#define ADD_BITS(buf, size, words, value)                                   \
	add_bits(buf, size, words, sizeof(words) / sizeof((words)[0]), value)

static const struct word level_numbers[] = {
	{ PERF_MEM_LVLNUM_L1, "L1" },
	{ PERF_MEM_LVLNUM_L2, "L2" },
	{ PERF_MEM_LVLNUM_L3, "L3" },
	{ PERF_MEM_LVLNUM_L4, "L4" },
	{ 0x08, "uncached" },		/* PERF_MEM_LVLNUM_UNC, Linux 6.6 */
	{ 0x09, "CXL" },		/* PERF_MEM_LVLNUM_CXL, 6.1 */
	{ 0x0a, "I/O" },		/* PERF_MEM_LVLNUM_IO, 6.1 */
	{ PERF_MEM_LVLNUM_ANY_CACHE, "any cache" },
	{ PERF_MEM_LVLNUM_LFB, "LFB" },
	{ PERF_MEM_LVLNUM_RAM, "RAM" },
	{ PERF_MEM_LVLNUM_PMEM, "PMEM" },
};

/* The older field mem_lvl, used if mem_lvl_num has no level. */
static const struct word level_bits[] = {
	{ PERF_MEM_LVL_L1, "L1" },
	{ PERF_MEM_LVL_LFB, "LFB" },
	{ PERF_MEM_LVL_L2, "L2" },
	{ PERF_MEM_LVL_L3, "L3" },
	{ PERF_MEM_LVL_LOC_RAM, "RAM" },
	{ PERF_MEM_LVL_REM_RAM1, "remote RAM 1 hop" },
	{ PERF_MEM_LVL_REM_RAM2, "remote RAM 2 hops" },
	{ PERF_MEM_LVL_REM_CCE1, "remote cache 1 hop" },
	{ PERF_MEM_LVL_REM_CCE2, "remote cache 2 hops" },
	{ PERF_MEM_LVL_IO, "I/O" },
	{ PERF_MEM_LVL_UNC, "uncached" },
};

static const struct word hit_bits[] = {
	{ PERF_MEM_LVL_HIT, "hit" },
	{ PERF_MEM_LVL_MISS, "miss" },
};

static const struct word op_bits[] = {
	{ PERF_MEM_OP_LOAD, "load" },
	{ PERF_MEM_OP_STORE, "store" },
	{ PERF_MEM_OP_PFETCH, "prefetch" },
	{ PERF_MEM_OP_EXEC, "execution" },
};

static const struct word snoop_bits[] = {
	{ PERF_MEM_SNOOP_NONE, "none" },
	{ PERF_MEM_SNOOP_HIT, "hit" },
	{ PERF_MEM_SNOOP_MISS, "miss" },
	{ PERF_MEM_SNOOP_HITM, "hit modified" },
};

static const struct word tlb_bits[] = {
	{ PERF_MEM_TLB_L1, "L1" },
	{ PERF_MEM_TLB_L2, "L2" },
	{ PERF_MEM_TLB_WK, "walker" },
	{ PERF_MEM_TLB_OS, "fault handler" },
	{ PERF_MEM_TLB_HIT, "hit" },
	{ PERF_MEM_TLB_MISS, "miss" },
};

char *sample_column_data_src(uint64_t data_src, char *buf, size_t size)
{
	union perf_mem_data_src src = { .val = data_src };
	const char *level = WORD_OF(level_numbers, src.mem_lvl_num);

	*buf = '\0';
	if (level && src.mem_remote)
		add_word(buf, size, " ", "remote");
	if (level)
		add_word(buf, size, " ", level);
	else
		ADD_BITS(buf, size, level_bits, src.mem_lvl);
	/* "RAM hit" and "RAM miss" would both mean that it came from RAM */
	if (!level || src.mem_lvl_num != PERF_MEM_LVLNUM_RAM)
		ADD_BITS(buf, size, hit_bits, src.mem_lvl);
	if (!*buf)
		add_word(buf, size, "", "-");
	return buf;
}

char *sample_column_access(uint64_t data_src, char *buf, size_t size)
{
	union perf_mem_data_src src = { .val = data_src };
	char part[64] = "";

	*buf = '\0';
	ADD_BITS(buf, size, op_bits, src.mem_op);
	add_word(buf, size, ", ",
		 sample_column_data_src(data_src, part, sizeof(part)));
	if (src.mem_snoop & ~(unsigned int)PERF_MEM_SNOOP_NA) {
		add_word(buf, size, ", ", "snoop");
		ADD_BITS(buf, size, snoop_bits, src.mem_snoop);
	}
	if (src.mem_dtlb & ~(unsigned int)PERF_MEM_TLB_NA) {
		add_word(buf, size, ", ", "TLB");
		ADD_BITS(buf, size, tlb_bits, src.mem_dtlb);
	}
	if (src.mem_lock & PERF_MEM_LOCK_LOCKED)
		add_word(buf, size, ", ", "locked");
	return buf;
}

static void hex(bool there, uint64_t value, char *buf, size_t size)
{
	if (there)
		snprintf(buf, size, "0x%" PRIx64, value);
	else
		text_copy(buf, size, "-");
}

static void number(bool there, uint64_t value, char *buf, size_t size)
{
	if (there)
		snprintf(buf, size, "%" PRIu64, value);
	else
		text_copy(buf, size, "-");
}

static void id(int value, char *buf, size_t size)
{
	number(value >= 0, (uint64_t)value, buf, size);
}

static void what(const struct feed_sample *s, bool values, char *buf,
		 size_t size)
{
	if (values && *s->values)
		text_copy(buf, size, s->values);
	else if (*s->text)
		text_copy(buf, size, s->text);
	else if (s->nr_frames)
		symbol_text(&s->frames[0].symbol,
			    symbol_file_name(s->frames[0].symbol.dso), buf,
			    size);
	else
		text_copy(buf, size, "-");
}

static void first_symbol(const struct feed_sample *s, char *buf, size_t size)
{
	if (s->nr_frames)
		symbol_text(&s->frames[0].symbol, NULL, buf, size);
	else
		text_copy(buf, size, "-");
}

static void numbers(enum sample_column column, const struct feed_sample *s,
		    char *buf, size_t size)
{
	const uint64_t cost = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;

	switch ((int)column) {
	case SAMPLE_COLUMN_CPU:
		id(s->cpu, buf, size);
		break;
	case SAMPLE_COLUMN_PID:
		id(s->pid, buf, size);
		break;
	case SAMPLE_COLUMN_TID:
		id(s->tid, buf, size);
		break;
	case SAMPLE_COLUMN_PERIOD:
		number(has(s, PERF_SAMPLE_PERIOD) || s->period, s->period, buf,
		       size);
		break;
	case SAMPLE_COLUMN_WEIGHT:
		number(true, s->weight, buf, size);
		break;
	case SAMPLE_COLUMN_COST:
		number(has(s, cost), s->sample_weight, buf, size);
		break;
	case SAMPLE_COLUMN_IP:
		hex(has(s, PERF_SAMPLE_IP), s->ip, buf, size);
		break;
	case SAMPLE_COLUMN_ADDR:
		hex(has(s, PERF_SAMPLE_ADDR), s->addr, buf, size);
		break;
	case SAMPLE_COLUMN_PHYS:
		hex(has(s, PERF_SAMPLE_PHYS_ADDR), s->phys_addr, buf, size);
		break;
	default:
		text_copy(buf, size, "-");
	}
}

char *sample_column_text(enum sample_column column,
			 const struct feed_sample *sample,
			 const struct sample_style *style, char *buf,
			 size_t size)
{
	switch ((int)column) {
	case SAMPLE_COLUMN_TIME:
		times_text(style->times, style->clock, sample->time, DECIMALS,
			   buf, size);
		break;
	case SAMPLE_COLUMN_COMM:
		text_copy(buf, size, sample->comm);
		break;
	case SAMPLE_COLUMN_EVENT:
		text_copy(buf, size, sample->event);
		break;
	case SAMPLE_COLUMN_WHAT:
		what(sample, style->values, buf, size);
		break;
	case SAMPLE_COLUMN_SYMBOL:
		first_symbol(sample, buf, size);
		break;
	case SAMPLE_COLUMN_DSO:
		text_copy(buf, size, sample->nr_frames ?
			  symbol_file_name(sample->frames[0].symbol.dso) : "-");
		break;
	case SAMPLE_COLUMN_SRC:
		if (has(sample, PERF_SAMPLE_DATA_SRC))
			sample_column_data_src(sample->data_src, buf, size);
		else
			text_copy(buf, size, "-");
		break;
	default:
		numbers(column, sample, buf, size);
	}
	return buf;
}
