/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ring/advice.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/units.h"
#include "base/unknown.h"

enum { UNIT_BUF = 16, PERF_REASON = 64 };

/* Evidence needed to advise a smaller ring. */
static const double min_watched = 60;		/* seconds */
enum { MIN_DRAINS = 20 };
/* Minimum of a size called enough, in records of the largest size. */
enum { MIN_RECORDS = 4 };

void advice_words_make(const struct advice_input *in, uint64_t need,
		       bool bounds, struct advice_words *w)
{
	char rate[UNIT_BUF], gap[UNIT_BUF], bytes[UNIT_BUF];

	units_bytes(w->size, sizeof(w->size), (double)in->size);
	units_bytes(w->peak, sizeof(w->peak), (double)in->peak);
	units_share(w->fill, sizeof(w->fill),
		    (double)in->peak / (double)in->size);
	units_bytes(w->watermark, sizeof(w->watermark),
		    (double)in->watermark);
	snprintf(w->product, sizeof(w->product),
		 "burst %s%s/s x gap %s%s = %s", bounds ? ">= " : "",
		 units_bytes(rate, sizeof(rate), in->burst_bytes_per_s),
		 bounds ? "<= " : "",
		 units_duration(gap, sizeof(gap), advice_gap(in)),
		 units_bytes(bytes, sizeof(bytes), (double)need));
}

double advice_gap(const struct advice_input *in)
{
	return in->worst_gap > 0 ? in->worst_gap : in->poll_interval;
}

uint64_t advice_need(const struct advice_input *in)
{
	/* larger than any memory, and safe to round up */
	return (uint64_t)fmin(ceil(in->burst_bytes_per_s * advice_gap(in)),
			      0x1p60);
}

static uint64_t pages_of(uint64_t bytes, uint64_t page_size)
{
	return units_round_pow2((bytes + page_size - 1) / page_size);
}

uint64_t advice_pages(const struct advice_input *in, uint64_t bytes)
{
	return pages_of(bytes, in->page_size);
}

uint64_t advice_grown(const struct advice_input *in)
{
	return advice_pages(in, in->size) * 2;
}

uint64_t advice_shrunk(const struct advice_input *in, uint64_t need)
{
	uint64_t record = in->largest_seen ? in->largest_seen : in->largest;
	uint64_t hold = MAX(MAX(need, in->peak * 2), MIN_RECORDS * record);
	uint64_t pages = MAX(advice_pages(in, hold), ADVICE_MIN);

	return pages <= advice_pages(in, in->size) / 4 ? pages : 0;
}

bool advice_is_seen(double seconds, uint64_t drains)
{
	return seconds >= min_watched && drains >= MIN_DRAINS;
}

bool advice_is_tight(const struct advice_input *in)
{
	return (double)in->peak > (double)in->size * ADVICE_TIGHT;
}

const char *advice_refusal(const struct advice_input *in)
{
	if (in->overwrite)
		return "an overwrite ring never fills: its size decides how "
		       "far back it reaches";
	if (in->to_kernel)
		return "its owner fills it, and the kernel drains it: its size "
		       "only limits how much can be queued at once";
	if (in->size == UNKNOWN)
		return "a recording does not say how full its rings were";
	return NULL;
}

/* Losses in pauses and stops come first: the size is not their cause. */
const char *advice_nothing_lost(const struct advice_input *in)
{
	return in->lost_stopped || in->excused ? "nothing else lost" :
						 "nothing lost";
}

void advice_tight(const struct advice_input *in, struct advice *out)
{
	out->verdict = VERDICT_TIGHT;
	out->pages = advice_grown(in);
	snprintf(out->reason, sizeof(out->reason),
		 "%s, but at its peak less than a quarter of the ring was free",
		 advice_nothing_lost(in));
}

/* The size of a ring by the part of it above the watermark: 2 by default. */
static double times_above(const struct advice_input *in)
{
	const double max = 4;	/* beyond, its watermark is too late */

	return in->watermark < in->size ?
		fmin((double)in->size / (double)(in->size - in->watermark),
		     max) : max;
}

/* Seconds that an ordinary reader may wait for a CPU. */
static double supposed_gap(const struct advice_input *in)
{
	return fmax(in->ordinary_wait, ADVICE_GAP);
}

/* Bytes per second that may come in such a wait. */
static double supposed_rate(const struct advice_input *in)
{
	return in->burst ? (double)in->burst / ADVICE_GAP :
			   fmax(in->burst_bytes_per_s, in->bytes_per_s);
}

static uint64_t need_of_wait(const struct advice_input *in, double times)
{
	return (uint64_t)fmin(times * supposed_rate(in) * supposed_gap(in),
			      (double)ADVICE_SUPPOSED);
}

/* Records were lost, and the burst in one gap is larger than the ring. */
static void advise_grow(const struct advice_input *in, struct advice *out)
{
	double times = times_above(in);
	uint64_t wait = in->ordinary ? need_of_wait(in, times) : 0;
	char rate[UNIT_BUF], gap[UNIT_BUF], lost[UNITS_RECORDS];
	struct advice_words w;
	int len;

	out->need = (uint64_t)fmin((double)out->need * times, 0x1p60);
	out->pages = advice_pages(in, MAX(out->need, wait));
	advice_words_make(in, out->need, false, &w);
	len = snprintf(out->text, sizeof(out->text), "grow to -m %llu: %.2g x ",
		       (unsigned long long)out->pages, times);
	if (wait > out->need)
		snprintf(out->text + len, sizeof(out->text) - (size_t)len,
			 "%s/s x the %s that its reader may wait for a CPU",
			 units_bytes(rate, sizeof(rate), supposed_rate(in)),
			 units_duration(gap, sizeof(gap), supposed_gap(in)));
	else
		snprintf(out->text + len, sizeof(out->text) - (size_t)len,
			 "%s", w.product);
	snprintf(out->reason, sizeof(out->reason),
		 "%s lost: more than the ring's %s arrived between "
		 "two drains", units_records(lost, in->lost), w.size);
}

/*
 * Records were lost although the largest burst fits into the ring: the reader
 * was too late within a tick.  The space above the watermark is what it has
 * left once it is woken.
 */
static void advise_wake_earlier(const struct advice_input *in,
				const struct advice_words *w, struct advice *out)
{
	bool late_watermark = in->watermark > in->size / 4;
	char lost[UNITS_RECORDS];
	uint64_t wait = in->ordinary ? need_of_wait(in, times_above(in)) : 0;

	out->pages = MAX(advice_grown(in), advice_pages(in, wait));
	snprintf(out->text, sizeof(out->text),
		 "%sgrow to -m %llu: lost, although %s fits %s",
		 late_watermark ? "wake earlier (--watermark 25%) or " : "",
		 (unsigned long long)out->pages, w->product, w->size);
	snprintf(out->reason, sizeof(out->reason),
		 "%s lost in bursts shorter than a tick: woken at "
		 "%s of %s, the reader drained too late",
		 units_records(lost, in->lost), w->watermark, w->size);
}

static void advise_tight(const struct advice_input *in,
			 const struct advice_words *w, struct advice *out)
{
	advice_tight(in, out);
	snprintf(out->text, sizeof(out->text), "grow to -m %llu: peak %s "
		 "of %s", (unsigned long long)out->pages, w->fill, w->size);
}

/* Nothing was lost. */
static void advise_fits(const struct advice_input *in,
			const struct advice_words *w, struct advice *out)
{
	bool seen = advice_is_seen(in->watched, in->drains);
	uint64_t pages = seen ? advice_shrunk(in, out->need) : 0;

	out->pages = pages ? pages : advice_pages(in, in->size);
	if (pages) {
		snprintf(out->text, sizeof(out->text),
			 "could shrink to -m %llu: peak %s, %s",
			 (unsigned long long)pages, w->peak, w->product);
		snprintf(out->reason, sizeof(out->reason),
			 "holds the most that arrived between two drains, and "
			 "twice the peak");
		return;
	}
	snprintf(out->text, sizeof(out->text), "fits%s: peak %s of %s",
		 seen ? "" : " so far", w->fill, w->size);
	snprintf(out->reason, sizeof(out->reason),
		 "%s; the most between two drains: %s",
		 advice_nothing_lost(in),
		 w->product);
}

/* The reason why advice is not possible yet, or NULL. */
static const char *too_early(const struct advice_input *in)
{
	if (!in->size || !in->page_size)
		return "the ring has no size yet";
	if (!(in->burst_bytes_per_s > 0 && in->worst_gap > 0))
		return "too early: needs a tick with records and two drains "
		       "that found data";
	return NULL;
}

static void name_stopped(const struct advice_input *in, struct advice *out)
{
	char reason[sizeof(out->reason)];

	if (!in->lost_stopped)
		return;
	snprintf(reason, sizeof(reason), "%s", out->reason);
	snprintf(out->reason, sizeof(out->reason),
		 "%llu lost while paused or stopped; %.*s",
		 (unsigned long long)in->lost_stopped,
		 (int)sizeof(reason) - 48, reason);
}

/*
 * perf record's reader is an ordinary thread, and is woken at half the ring, so
 * that the other half has to hold what comes in its wait.  The need of rbtop's
 * own gap counts where it lost records, which are in no burst, and where times
 * are unknown: the rate of that gap is a mean.
 */
static void advise_perf(const struct advice_input *in, uint64_t need,
			struct advice *out)
{
	uint64_t above = need > in->watermark ? need - in->watermark : 0;
	uint64_t wait = need_of_wait(in, 2), max = wait;
	char bytes[UNIT_BUF], gap[UNIT_BUF];

	if (in->lost || !in->burst)
		max = MAX(max, MAX(need, 2 * above));
	out->perf_pages = MAX(advice_pages(in, max), ADVICE_MIN);
	if (in->lost && out->pages >= out->perf_pages) {
		out->perf_pages = out->pages;
		snprintf(out->perf_reason, sizeof(out->perf_reason),
			 "as much as rbtop's reader needs");
	} else if (max == wait && wait < ADVICE_SUPPOSED) {
		snprintf(out->perf_reason, sizeof(out->perf_reason),
			 "twice the %s that %s in %s",
			 units_bytes(bytes, sizeof(bytes), (double)wait / 2),
			 in->burst && in->ordinary_wait <= ADVICE_GAP ?
				 "came" : "may come",
			 units_duration(gap, sizeof(gap), supposed_gap(in)));
	}
}

static void name_perf(struct advice *out)
{
	snprintf(out->setting, sizeof(out->setting), "perf record -m %llu",
		 (unsigned long long)out->perf_pages);
}

static void advise(const struct advice_input *in, struct advice *out)
{
	const char *why_not = advice_refusal(in);
	struct advice_words w;
	uint64_t need;

	out->burst_bytes_per_s = in->burst_bytes_per_s;
	out->worst_gap = in->worst_gap;
	if (in->overwrite)
		out->verdict = VERDICT_OVERWRITE;
	else if (in->size == UNKNOWN && in->lost)
		out->verdict = VERDICT_TOO_SMALL;
	if (!why_not)
		why_not = too_early(in);
	if (why_not) {
		snprintf(out->reason, sizeof(out->reason), "%s", why_not);
		return;
	}
	out->valid = true;
	out->need = need = advice_need(in);
	advice_words_make(in, need, false, &w);
	out->verdict = in->lost ? VERDICT_TOO_SMALL : VERDICT_OK;
	if (in->lost && out->need > in->size)
		advise_grow(in, out);
	else if (in->lost)
		advise_wake_earlier(in, &w, out);
	else if (advice_is_tight(in))
		advise_tight(in, &w, out);
	else
		advise_fits(in, &w, out);
	advise_perf(in, need, out);
	name_perf(out);
}

void advice_make(const struct advice_input *in, struct advice *out)
{
	memset(out, 0, sizeof(*out));
	advise(in, out);
	name_stopped(in, out);
}

void advice_all_add(struct advice *all, const struct advice *one,
		    uint64_t pages, const char *label)
{
	if (!one->valid)
		return;
	all->valid = true;
	if (one->perf_pages > all->perf_pages) {
		all->perf_pages = one->perf_pages;
		*all->perf_reason = '\0';
		if (*one->perf_reason)
			snprintf(all->perf_reason, sizeof(all->perf_reason),
				 "%.*s (%s)", PERF_REASON, one->perf_reason,
				 label);
	}
	if (one->pages <= pages || one->pages < all->pages ||
	    (one->pages == all->pages && one->need <= all->need))
		return;
	all->pages = one->pages;
	all->need = one->need;
	snprintf(all->text, sizeof(all->text),
		 "grow all rings to -m %llu: %s needs it",
		 (unsigned long long)one->pages, label);
	snprintf(all->label, sizeof(all->label), "%s", label);
}

void advice_all_apply(const struct advice *all, struct advice *one)
{
	size_t len = strlen(one->text);

	if (!one->valid)
		return;
	memcpy(one->setting, all->setting, sizeof(one->setting));
	memcpy(one->perf_reason, all->perf_reason, sizeof(one->perf_reason));
	if (one->pages && one->pages < all->pages && len < sizeof(one->text))
		snprintf(one->text + len, sizeof(one->text) - len,
			 "; %s needs -m %llu", all->label,
			 (unsigned long long)all->pages);
}

void advice_all_end(struct advice *all)
{
	if (!all->valid)
		return;
	/* perf drains later than rbtop */
	if (all->pages > all->perf_pages) {
		all->perf_pages = all->pages;
		*all->perf_reason = '\0';
	}
	all->burst_bytes_per_s = all->worst_gap = NAN;
	if (!all->pages)
		snprintf(all->text, sizeof(all->text), "all rings fit so far");
	name_perf(all);
}

void advice_of_lossless(struct advice *all, uint64_t size, uint64_t most)
{
	char waited[UNIT_BUF], whole[UNIT_BUF];

	/* what is written at the end counts as well */
	most = most < size ? most : size;
	all->verdict = (double)most > (double)size * ADVICE_TIGHT ?
			       VERDICT_TIGHT : VERDICT_OK;
	all->valid = true;
	all->burst_bytes_per_s = all->worst_gap = NAN;
	all->reason[0] = '\0';
	snprintf(all->text, sizeof(all->text),
		 "nothing lost: at most %s of a %s ring was waiting to be read",
		 units_bytes(waited, sizeof(waited), (double)most),
		 units_bytes(whole, sizeof(whole), (double)size));
}

void advice_of_recording(struct advice *all, uint64_t pages)
{
	all->valid = true;
	all->pages = all->perf_pages = pages;
	all->burst_bytes_per_s = all->worst_gap = NAN;
	name_perf(all);
	snprintf(all->text, sizeof(all->text), "next time: %s", all->setting);
}

void advice_make_aux(const struct advice_aux_input *in, char *buf, size_t size)
{
	char ring[UNIT_BUF], rate[UNIT_BUF], lasts[UNIT_BUF], holds[64] = "";

	buf[0] = '\0';
	if (!in->truncated || !in->size || !in->page_size)
		return;
	if (in->bytes_per_s > 0)
		snprintf(holds, sizeof(holds), "; %s lasts %s at %s/s",
			 units_bytes(ring, sizeof(ring), (double)in->size),
			 units_duration(lasts, sizeof(lasts),
					(double)in->size / in->bytes_per_s),
			 units_bytes(rate, sizeof(rate), in->bytes_per_s));
	snprintf(buf, size, "grow to -m ,%llu: full %llu time%s%s",
		 (unsigned long long)pages_of(in->size, in->page_size) * 2,
		 (unsigned long long)in->truncated,
		 in->truncated == 1 ? "" : "s", holds);
}
