/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/host_advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

enum { UNIT_BUF = 16 };

/* A ring that was fuller than this had no room to spare. */
static const double tight_fill = 0.75;

/* The inputs and the figures made of them, as text. */
struct words {
	char size[UNIT_BUF], peak[UNIT_BUF], watermark[UNIT_BUF];
	char fill[UNIT_BUF];	/* the peak in percent of the size */
	char gap[UNIT_BUF];
	char product[72];	/* "burst >= 8.1M/s x gap <= 210ms = 1.7M" */
};

/* Seconds: the longest that may have passed between two drains. */
static double gap_of(const struct host_advice_input *in)
{
	return in->worst_gap > 0 ? in->worst_gap : in->look_interval;
}

static void words_make(const struct host_advice_input *in, uint64_t need,
		       struct words *w)
{
	char rate[UNIT_BUF], bytes[UNIT_BUF];

	units_bytes(w->size, sizeof(w->size), (double)in->size);
	units_bytes(w->peak, sizeof(w->peak), (double)in->peak);
	units_share(w->fill, sizeof(w->fill),
		    (double)in->peak / (double)in->size);
	units_bytes(w->watermark, sizeof(w->watermark),
		    (double)in->watermark);
	units_duration(w->gap, sizeof(w->gap), gap_of(in));
	snprintf(w->product, sizeof(w->product),
		 "burst >= %s/s x gap <= %s = %s",
		 units_bytes(rate, sizeof(rate), in->burst_bytes_per_s),
		 w->gap, units_bytes(bytes, sizeof(bytes), (double)need));
}

/* The smallest ring that holds @bytes, in pages. */
static uint64_t pages_for(const struct host_advice_input *in, uint64_t bytes)
{
	return units_round_pow2((bytes + in->page_size - 1) / in->page_size);
}

/* "512 pages (2M)", "2M" of a BPF ring buffer; into @buf. */
static const char *target(const struct host_advice_input *in, uint64_t pages,
			  char *buf, size_t size)
{
	char bytes[UNIT_BUF];

	units_bytes(bytes, sizeof(bytes),
		    (double)pages * (double)in->page_size);
	if (in->ringbuf)
		snprintf(buf, size, "%s", bytes);
	else
		snprintf(buf, size, "%llu page%s (%s)",
			 (unsigned long long)pages, pages == 1 ? "" : "s",
			 bytes);
	return buf;
}

/* Lost, and a gap that was seen explains it. */
static void advise_grow(const struct host_advice_input *in,
			const struct words *w, struct advice *out)
{
	char grown[48];

	out->pages = pages_for(in, out->need);
	snprintf(out->text, sizeof(out->text), "grow to %s: %s",
		 target(in, out->pages, grown, sizeof(grown)), w->product);
	snprintf(out->reason, sizeof(out->reason),
		 "%llu records lost: more came before its owner drained it "
		 "than the ring's %s",
		 (unsigned long long)in->lost, w->size);
}

/*
 * Lost between two looks, or although by the arithmetic it would have fitted:
 * how long the gap was that did it, nobody saw.
 */
static void advise_double(const struct host_advice_input *in,
			  const struct words *w, struct advice *out)
{
	bool late_watermark = in->watermark > in->size / 4;
	char grown[48];

	out->pages = pages_for(in, in->size) * 2;
	snprintf(out->text, sizeof(out->text),
		 "%sgrow to %s: lost in a gap of %s or less",
		 late_watermark ? "wake earlier or " : "",
		 target(in, out->pages, grown, sizeof(grown)), w->gap);
	if (late_watermark)
		snprintf(out->reason, sizeof(out->reason),
			 "%llu records lost in bursts too short to be seen: "
			 "woken at %s of %s, the owner came too late",
			 (unsigned long long)in->lost, w->watermark, w->size);
	else
		snprintf(out->reason, sizeof(out->reason),
			 "%llu records lost in bursts too short to be seen; "
			 "%s", (unsigned long long)in->lost, w->product);
}

static void advise_tight(const struct host_advice_input *in,
			 const struct words *w, struct advice *out)
{
	char grown[48];

	out->pages = pages_for(in, in->size) * 2;
	snprintf(out->text, sizeof(out->text), "grow to %s: peak >= %s of %s",
		 target(in, out->pages, grown, sizeof(grown)), w->fill,
		 w->size);
	snprintf(out->reason, sizeof(out->reason), "%s at its fullest the "
		 "ring had less than a quarter to spare",
		 in->ringbuf ? "a BPF ring buffer does not count losses, and" :
			       "nothing lost, but");
}

/*
 * Nothing lost.  Smaller only if it still holds twice the peak and all that
 * came in the worst gap, and by a factor that is worth it.
 */
static void advise_fits(const struct host_advice_input *in,
			const struct words *w, struct advice *out)
{
	uint64_t hold = out->need > in->peak * 2 ? out->need : in->peak * 2;
	uint64_t pages = pages_for(in, hold);
	char shrunk[48];

	out->pages = pages_for(in, in->size);
	if (pages <= out->pages / 4) {
		out->pages = pages;
		snprintf(out->text, sizeof(out->text),
			 "could shrink to %s: peak >= %s, %s",
			 target(in, pages, shrunk, sizeof(shrunk)), w->peak,
			 w->product);
		snprintf(out->reason, sizeof(out->reason),
			 "holds the most that can have waited between two "
			 "drains, and twice the peak that was seen");
		return;
	}
	snprintf(out->text, sizeof(out->text), "fits: peak >= %s of %s",
		 w->fill, w->size);
	snprintf(out->reason, sizeof(out->reason),
		 "%s; at most between two drains: %s",
		 in->ringbuf ? "never seen near full" : "nothing lost",
		 w->product);
}

/* Why nothing can be said, or NULL. */
static const char *refusal(const struct host_advice_input *in)
{
	if (in->overwrite)
		return "an overwrite ring never fills: its size is how far "
		       "back it reaches";
	if (!in->size || !in->page_size)
		return "the ring's size is not known";
	if (!(in->burst_bytes_per_s > 0 && gap_of(in) > 0))
		return "too early: nothing came between two looks yet";
	return NULL;
}

void host_advice_make(const struct host_advice_input *in, struct advice *out)
{
	const char *why_not = refusal(in);
	struct words w;

	memset(out, 0, sizeof(*out));
	out->burst_bytes_per_s = in->burst_bytes_per_s;
	out->worst_gap = gap_of(in);
	if (why_not) {
		snprintf(out->reason, sizeof(out->reason), "%s", why_not);
		return;
	}
	out->valid = true;
	/* far beyond any memory, and safe to round up */
	out->need = (uint64_t)fmin(round(in->burst_bytes_per_s * gap_of(in)),
				   0x1p60);
	words_make(in, out->need, &w);
	if (in->lost && in->worst_gap > 0 && out->need > in->size)
		advise_grow(in, &w, out);
	else if (in->lost)
		advise_double(in, &w, out);
	else if ((double)in->peak > (double)in->size * tight_fill)
		advise_tight(in, &w, out);
	else
		advise_fits(in, &w, out);
}
