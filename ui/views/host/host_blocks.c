/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/views/host/host_detail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "ui/kit/figures.h"
#include "ui/views/host/host.h"

/* Said first: the cause of what else may be wrong. */
#define STOPPED "its owner is stopped, by SIGSTOP or a debugger: until it " \
		"goes on it drains nothing"

/*
 * A figure is a getter's text, NULL for a heading.  What is a bound says so in
 * its label; what it counts from, the heading.
 */
struct entry {
	const char *label;	/* NULL: no further one */
	char *(*text)(const struct ring_row *r, char *buf, size_t size);
};

static char *exact(uint64_t value, char *buf, size_t size)
{
	if (value == UNKNOWN)
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%" PRIu64, value);
	return buf;
}

/* Of a ring that is gone more may have come after the last look. */
static char *total(const struct ring_row *r, uint64_t value, char *buf,
		   size_t size)
{
	if (value == UNKNOWN || !r->gone)
		return exact(value, buf, size);
	snprintf(buf, size, ">%" PRIu64, value);
	return buf;
}

static char *bytes(double value, const char *per, char *buf, size_t size)
{
	char text[8];

	if (isnan(value) || value >= (double)UNKNOWN)
		return exact(UNKNOWN, buf, size);
	snprintf(buf, size, "%s%s", units_bytes(text, sizeof(text), value),
		 per);
	return buf;
}

static char *rate(double value, char *buf, size_t size)
{
	if (isnan(value))
		return exact(UNKNOWN, buf, size);
	return units_count(buf, size, value);
}

static char *share(double value, char *buf, size_t size)
{
	if (isnan(value))
		return exact(UNKNOWN, buf, size);
	return units_share(buf, size, value);
}

/* 0 is a time that there is none of. */
static char *seconds(double value, char *buf, size_t size)
{
	if (!(value > 0))
		return exact(UNKNOWN, buf, size);
	return units_duration(buf, size, value);
}

/* A loss has a mark as well as a colour. */
static char *loss(double value, char *text, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", value > 0 ? "!" : "", text);
	return buf;
}

static char *lost(const struct ring_row *r, uint64_t records, char *buf,
		  size_t size)
{
	char text[24];

	total(r, records, text, sizeof(text));
	return loss(records == UNKNOWN ? 0 : (double)records, text, buf,
		    size);
}

/* Of that a later LOST record may have told. */
static char *pending(const struct ring_row *r, char *buf, size_t size)
{
	char text[24];

	exact(r->lost_pending, text, sizeof(text));
	return loss(r->lost_pending == UNKNOWN ? 0 :
						      (double)r->lost_pending,
		    text, buf, size);
}

static char *lost_rate(double per_s, char *buf, size_t size)
{
	char text[24];

	return loss(per_s, rate(per_s, text, sizeof(text)), buf, size);
}

static char *word(const char *text, char *buf, size_t size)
{
	snprintf(buf, size, "%s", text);
	return buf;
}

static uint64_t tail_of(const struct ring_row *r)
{
	return r->overwrite ? UNKNOWN : r->tail;
}

/* They would be the bytes that the head has passed: no news. */
static uint64_t crossings_of(const struct ring_row *r)
{
	return ring_row_wakes_always(r) ? UNKNOWN : r->crossings;
}

static char *watermark(const struct ring_row *r, char *buf, size_t size)
{
	if (ring_row_wakes_always(r))
		return word("every record", buf, size);
	return exact(r->watermark ? r->watermark : UNKNOWN, buf, size);
}

#define ENTRY(name, expression)                                     \
	static char *text_##name(const struct ring_row *r, char *buf, \
				 size_t size)                         \
	{                                                             \
		return expression;                                    \
	}

ENTRY(size, bytes((double)r->size, "", buf, size))
ENTRY(used, exact(r->used, buf, size))
ENTRY(fill, share(r->fill, buf, size))
ENTRY(peak, share(r->peak, buf, size))
ENTRY(rate, bytes(r->bytes_per_s, "/s", buf, size))
ENTRY(bytes, total(r, r->bytes, buf, size))
ENTRY(head, exact(r->head, buf, size))
ENTRY(tail, exact(tail_of(r), buf, size))
ENTRY(watermark, watermark(r, buf, size))
ENTRY(wakeup_events, exact(r->wakeup_events ? r->wakeup_events :
					       UNKNOWN, buf, size))
ENTRY(crossings, exact(crossings_of(r), buf, size))
ENTRY(wakeups, total(r, r->wakeups, buf, size))
ENTRY(wakeup_rate, rate(r->wakeups_per_s, buf, size))
ENTRY(woken, word(!r->known ? "-" : r->woken ? "yes" : "no", buf, size))
ENTRY(drains, exact(r->drains, buf, size))
ENTRY(drain_rate, rate(r->drains_per_s, buf, size))
ENTRY(undrained, seconds(r->undrained, buf, size))
ENTRY(gap, seconds(r->worst_gap, buf, size))
ENTRY(seen, seconds(r->last_seen - r->first_seen, buf, size))
ENTRY(lost, lost(r, r->lost, buf, size))
ENTRY(reported, total(r, r->lost_reported, buf, size))
ENTRY(pending, pending(r, buf, size))
ENTRY(lost_rate, lost_rate(r->lost_per_s, buf, size))
ENTRY(locked, bytes((double)r->locked, "", buf, size))
ENTRY(remapped, exact(r->remapped, buf, size))
ENTRY(map, word(*r->map ? r->map : "-", buf, size))
ENTRY(map_id, exact(r->map_id ? r->map_id : UNKNOWN, buf, size))

ENTRY(aux_size, bytes((double)r->aux.size, "", buf, size))
ENTRY(aux_watermark, bytes(r->aux.watermark ? (double)r->aux.watermark :
					       (double)NAN, "", buf, size))
ENTRY(aux_mode, word(r->aux.overwrite ? "snapshot" : "full trace", buf, size))
ENTRY(aux_head, exact(r->aux.head, buf, size))
ENTRY(aux_tail, exact(r->aux.overwrite ? UNKNOWN : r->aux.tail, buf,
		       size))
ENTRY(aux_used, exact(r->aux.used, buf, size))
ENTRY(aux_fill, share(r->aux.fill, buf, size))
ENTRY(aux_rate, bytes(r->aux.bytes_per_s, "/s", buf, size))

/* Rates are those of the latest tick. */
static const struct entry now_figures[] = {
	{ "size", text_size },
	{ "bytes waiting", text_used },
	{ "fill", text_fill },
	{ "bytes/s", text_rate },
	{ "wakeups/s", text_wakeup_rate },
	{ "drains/s, at least", text_drain_rate },
	{ "lost/s", text_lost_rate },
	{ "woken, not polled", text_woken },
	{ "waits, at least", text_undrained },
	{ "watermark", text_watermark },
	{ "wakeup_events", text_wakeup_events },
	{ NULL, NULL },
};

static const struct entry watched_figures[] = {
	{ "bytes", text_bytes },
	{ "peak, at least", text_peak },
	{ "wakeups", text_wakeups },
	{ "drains, at least", text_drains },
	{ "worst gap, at least", text_gap },
	{ "remapped", text_remapped },
	{ "for", text_seen },
	{ "its memory", NULL },
	{ "pins", text_locked },
	{ "BPF map", text_map },
	{ "its id", text_map_id },
	{ NULL, NULL },
};

static const struct entry all_figures[] = {
	{ "of the ring mapped now", NULL },
	{ "head", text_head },
	{ "tail", text_tail },
	{ "crossings", text_crossings },
	{ "since events were opened", NULL },
	{ "lost", text_lost },
	{ "reported", text_reported },
	{ "pending", text_pending },
	{ NULL, NULL },
};

static const struct entry aux_size_figures[] = {
	{ "size", text_aux_size },
	{ "watermark", text_aux_watermark },
	{ "mode", text_aux_mode },
	{ NULL, NULL },
};

static const struct entry aux_head_figures[] = {
	{ "head", text_aux_head },
	{ "tail", text_aux_tail },
	{ NULL, NULL },
};

static const struct entry aux_fill_figures[] = {
	{ "waiting", text_aux_used },
	{ "fill", text_aux_fill },
	{ "bytes/s", text_aux_rate },
	{ NULL, NULL },
};

static const char *figure_at(const void *table, size_t i, const void *row,
			     char text[FIGURES_TEXT])
{
	const struct entry *f = (const struct entry *)table + i;

	text[0] = '\0';
	if (f->text)
		f->text(row, text, FIGURES_TEXT);
	return f->label;
}

int host_blocks_draw(struct area a, int row, const void *ring)
{
	static const struct figures_block blocks[] = {
		{ "Now", now_figures },
		{ "Since it is watched", watched_figures },
		{ "From the start", all_figures },
	};
	const struct ring_row *r = ring;

	row = figures_draw(a, row, blocks, 3, figure_at, r);
	if (r->kind == RING_BPF)
		row = area_wrapped(a, row, ROLE_DIM, "losses: a BPF ring "
				   "buffer counts none; where it is full, "
				   "bpf_ringbuf_reserve() fails in the program "
				   "and nowhere else");
	return row;
}

int host_blocks_aux(struct area a, int row, const void *ring)
{
	static const struct figures_block blocks[] = {
		{ "AUX ring", aux_size_figures },
		{ "Where it stands", aux_head_figures },
		{ "What waits", aux_fill_figures },
	};
	const struct ring_row *r = ring;

	if (!r->aux.size || !r->known)
		return row;
	return figures_draw(a, row, blocks, 3, figure_at, r);
}

int host_blocks_warnings(struct area a, int row, const void *ring)
{
	const struct ring_row *r = ring;
	struct area text = area_sub(a, 0, 2, a.rows, a.cols - 2);
	char buf[256];

	/* which RING_WARN_UNDRAINED would say itself */
	if (r->stopped && !r->gone &&
	    !(r->warnings & 1u << RING_WARN_UNDRAINED)) {
		area_put(a, row, 0, ROLE_WARN, '!');
		row = area_wrapped(text, row, ROLE_WARN, STOPPED);
	}
	for (int i = 0; i < RING_WARNINGS; i++) {
		unsigned int bit = 1u << i;
		enum role role = host_alarm_role(bit);

		if (!(r->warnings & bit))
			continue;
		area_put(a, row, 0, role, '!');
		row = area_wrapped(text, row, role,
				   ring_warning_text((enum ring_warning)i,
						     r, buf,
						     sizeof(buf)));
	}
	return row;
}
