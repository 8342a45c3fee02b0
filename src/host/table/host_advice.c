/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host/table/host_advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/param.h>

#include "base/text.h"
#include "base/units.h"
#include "host/table/host.h"
#include "host/table/host_remedy.h"
#include "perf/abi/sample.h"

enum {
	UNIT_BUF = 16, TARGET_BUF = 144,
	LOST_TEXT = UNITS_RECORDS + sizeof(" lost while its owner ran, none "
					   "for 12m34"),
};

/* If no size does. */
#define HELPS \
	"What helps: fewer or smaller records, or more CPU time for the reader"

/* A peak fill above this may mean that a record did not fit. */
static const double full_fill = 0.95;
/*
 * Largest size advised, bytes: each CPU has a ring, and a product of bounds may
 * be far too high.
 */
static const uint64_t max_advised = 256 << 20;
/* The advice says when the worst gap was if that is longer ago, in seconds. */
static const double old_gap = 60;
/* Sizes vary if the largest record exceeds this multiple of the mean. */
enum { VARIED = 4 };
/* Sizes above this multiple of the present one cannot be predicted. */
enum { FAR = 4 };

/* Whose setting, or whose events: a buffer of the kernel's own has no owner. */
static const char *source_of(const struct advice_input *in)
{
	return in->ftrace ? "ftrace" : in->frame ? "packet" : in->comm;
}

/* Of those whose owner has a setting. */
static enum ring_kind kind_of(const struct advice_input *in)
{
	return in->frame ? RING_PACKET : in->ringbuf ? RING_BPF : RING_PERF;
}

void host_advice_setting(const struct advice_input *in, uint64_t pages,
			 char *buf, size_t size)
{
	buf[0] = '\0';
	if (pages * in->page_size == in->size)
		return;
	if (in->ftrace)
		host_remedy_ftrace(in->ftrace, pages, in->page_size, buf, size);
	else if (in->comm)
		host_remedy_setting(in->comm, kind_of(in), pages, in->page_size,
				    in->frame, buf, size);
}

/*
 * Write "-m 512 (2M)" to @buf: the owner's setting; of an unknown one "512
 * pages (2M)", or "2M" or "256 entries (4K)" of kinds that do not count in
 * pages.
 */
static const char *target(const struct advice_input *in, uint64_t pages,
			  char *buf, size_t size)
{
	char bytes[UNIT_BUF], setting[96];

	units_bytes(bytes, sizeof(bytes),
		    (double)pages * (double)in->page_size);
	host_advice_setting(in, pages, setting, sizeof(setting));
	if (in->ftrace && setting[0])
		snprintf(buf, size, "%s, %s", bytes, setting);
	else if (setting[0])
		snprintf(buf, size, "%s (%s)", setting, bytes);
	else if (in->entries)
		snprintf(buf, size, "%llu entries (%s)",
			 (unsigned long long)pages, bytes);
	else if (in->ringbuf || in->ftrace || in->frame)
		snprintf(buf, size, "%s", bytes);
	else
		snprintf(buf, size, "%llu page%s (%s)",
			 (unsigned long long)pages, pages == 1 ? "" : "s",
			 bytes);
	return buf;
}

/*
 * Whether a lower watermark could help: not if each record crosses the present
 * one, nor if the owner was seen to be late.
 */
static bool wakes_late(const struct advice_input *in)
{
	return in->watermark > in->size / 4 && !in->wakeup_events &&
	       in->record < in->watermark && !(in->worst_gap > 0);
}

/* perf has no option for it. */
static bool has_no_watermark(const struct advice_input *in)
{
	return in->comm && !strcmp(in->comm, "perf");
}

/* The watermark is half the ring, which is the default for any size. */
static bool wakes_at_half(const struct advice_input *in)
{
	return in->watermark == in->size / 2 && !in->wakeup_events;
}

/* The size of the lost records is not known. */
static void advise_unsized(const struct advice_input *in,
			   struct advice *out)
{
	char grown[TARGET_BUF];

	out->verdict = VERDICT_TOO_SMALL;
	snprintf(out->text, sizeof(out->text), "grow to at least %s, which "
		 "may be too small: the size of the lost records is unknown",
		 target(in, advice_grown(in), grown, sizeof(grown)));
}

/* Why @pages, which are recommended, may not be enough; "". */
static const char *doubt(const struct advice_input *in, uint64_t pages)
{
	/* Larger records are lost first. */
	if (in->largest_seen > VARIED * in->record)
		return "; may be too small: the size of records varies";
	/* A much larger ring wakes its owner less often, perhaps too late. */
	if (in->may_lag || !in->lost_in_gap ||
	    (pages > FAR * advice_pages(in, in->size) &&
	     pages < advice_pages(in, max_advised)))
		return "; then check again: it may need more";
	if (in->early)
		return "; may be too small: watched for less than 10s";
	return "";
}

static void advise_trial(const struct advice_input *in, bool supposed,
			 struct advice *out)
{
	char grown[TARGET_BUF], taken[UNIT_BUF], come[UNIT_BUF], why[80];

	out->undecided = true;
	out->need = ADVICE_SUPPOSED;
	out->pages = advice_pages(in, out->need);
	units_bytes(come, sizeof(come), in->came_per_s);
	if (in->may_lag && in->taken_per_s >= 1)
		snprintf(why, sizeof(why), "it reads %s/s, and at least %s/s "
			 "arrives",
			 units_bytes(taken, sizeof(taken), in->taken_per_s),
			 come);
	else if (supposed)
		snprintf(why, sizeof(why), "a burst was >= %s/s",
			 units_bytes(taken, sizeof(taken), in->max_per_s));
	else
		snprintf(why, sizeof(why), "%s was lost in one gap",
			 units_bytes(taken, sizeof(taken),
				     (double)in->lost_in_gap));
	snprintf(out->text, sizeof(out->text), "try %s, but its reader may be "
		 "too slow: %s; if records are still lost, it is too slow",
		 target(in, out->pages, grown, sizeof(grown)), why);
}

/* Each CPU has a ring: this is more memory than one would spare. */
static void advise_too_much(const struct advice_input *in,
			    struct advice *out)
{
	char size[UNIT_BUF], max[UNIT_BUF];

	out->verdict = VERDICT_TOO_SLOW;
	out->pages = out->need = 0;
	snprintf(out->text, sizeof(out->text),
		 "its reader is too slow, or pauses for too long: with %s it loses, and it would need more than %s",
		 units_bytes(size, sizeof(size), (double)in->size),
		 units_bytes(max, sizeof(max), (double)max_advised));
}

/*
 * The wait for a CPU that is supposed, seconds.  A reader that runs for a part of
 * the time only takes longer to be through.
 */
static double supposed_gap(const struct advice_input *in)
{
	const double some = 0.3, most = 0.75;

	return ADVICE_GAP /
	       (1 - (in->waited >= some ? fmin(in->waited, most) : 0));
}

/* The gap that lost was not seen, only that it was short. */
static void advise_supposed(const struct advice_input *in,
			    struct advice *out)
{
	char grown[TARGET_BUF], rate[UNIT_BUF], gap[UNIT_BUF];

	snprintf(out->text, sizeof(out->text),
		 "grow to %s: %s a burst of >= %s/s brings in the %s that its "
		 "reader may wait for a CPU%s",
		 target(in, out->pages, grown, sizeof(grown)),
		 wakes_at_half(in) ? "twice what" : "what",
		 units_bytes(rate, sizeof(rate), in->max_per_s),
		 units_duration(gap, sizeof(gap), supposed_gap(in)),
		 doubt(in, out->pages));
}

/* " 5m00 ago" if the worst gap was a while ago. */
static const char *when(const struct advice_input *in, char *buf,
			size_t size)
{
	char age[UNIT_BUF];

	buf[0] = '\0';
	if (in->gap_age >= old_gap)
		snprintf(buf, size, " %s ago",
			 units_duration(age, sizeof(age), in->gap_age));
	return buf;
}

static void advise_lost(const struct advice_input *in,
			const struct advice_words *w, struct advice *out)
{
	bool twice = wakes_at_half(in);
	double spare = in->wakeup_events ? 1.25 : twice ? 1.5 : 2;
	double need = spare * ((double)in->size +
			       (double)in->lost_in_gap * (twice ? 2 : 1));
	double supposed = in->max_per_s * supposed_gap(in) * (twice ? 2 : 1);
	double max = fmax(need, supposed);
	char grown[TARGET_BUF], lost[UNIT_BUF], ago[UNIT_BUF + 8];

	if (in->unsized) {
		advise_unsized(in, out);
		return;
	}
	out->need = (uint64_t)fmin(max, (double)max_advised);
	out->verdict = VERDICT_TOO_SMALL;
	out->need = MAX(out->need, 2 * in->size);
	out->pages = advice_pages(in, out->need);
	out->early |= *doubt(in, out->pages) != '\0';
	if (max > (double)max_advised) {
		advise_too_much(in, out);
		return;
	}
	if (out->need > ADVICE_SUPPOSED && in->size < ADVICE_SUPPOSED) {
		advise_trial(in, supposed > need, out);
		return;
	}
	if (supposed > need) {
		advise_supposed(in, out);
		return;
	}
	snprintf(out->text, sizeof(out->text),
		 "grow to %s: %g x (%s ring + %s%s lost in one gap%s)%s",
		 target(in, out->pages, grown, sizeof(grown)), spare, w->size,
		 twice ? "2 x " : "",
		 units_bytes(lost, sizeof(lost), (double)in->lost_in_gap),
		 when(in, ago, sizeof(ago)), doubt(in, out->pages));
}

/*
 * Records larger than the ring: the new size must hold the largest, and those
 * that arrive until the owner wakes up, which is unknown.
 */
static void advise_oversized(const struct advice_input *in,
			     struct advice *out)
{
	bool bound = in->largest > in->oversized && in->largest < SAMPLE_MAX;
	double one = bound ? (double)in->largest : 64 << 10;
	double come = in->oversized_per_s * ADVICE_GAP;
	char grown[TARGET_BUF], size[UNIT_BUF], min[UNIT_BUF], max[UNIT_BUF];
	char lost[UNITS_RECORDS];

	out->verdict = VERDICT_CANNOT_FIT;
	/* Not for the guess of 64K: that would need much memory on each CPU. */
	if (!bound)
		come = 0;
	out->need = (uint64_t)fmin(2 * one * (1 + come), (double)max_advised);
	out->pages = advice_pages(in, out->need);
	out->pages = MAX(out->pages, advice_grown(in));
	units_bytes(size, sizeof(size), (double)in->size);
	units_bytes(min, sizeof(min), (double)in->oversized);
	units_bytes(max, sizeof(max), one);
	snprintf(out->text, sizeof(out->text), "%s to %s: records of %s or "
		 "more (up to %s) do not fit into %s",
		 bound ? "grow" : "may need to grow",
		 target(in, out->pages, grown, sizeof(grown)), min, max,
		 size);
	snprintf(out->reason, sizeof(out->reason), "%s lost while the ring had "
		 "room; %s", units_records(lost, in->lost), bound ?
		 "sized for twice the largest record and those of 10ms" :
		 "no record is larger than 64K");
}

/*
 * "7 records lost, none for 5m00"; that others are not included, which the total
 * counts.
 */
static const char *lost_text(const struct advice_input *in, char *buf)
{
	char nr[UNITS_RECORDS], age[UNIT_BUF];

	snprintf(buf, LOST_TEXT, "%s lost%s", units_records(nr, in->lost),
		 !in->excused ? "" : in->lost_stopped ?
		 (in->ftrace ? " while it was read" : " while its owner ran") :
		 " while watched");
	if (in->lost_age >= old_gap)
		text_append(buf, LOST_TEXT, ", none for %s",
			    units_duration(age, sizeof(age), in->lost_age));
	return buf;
}

static void reason_lost(const struct advice_input *in,
			const struct advice_words *w, struct advice *out)
{
	char buf[LOST_TEXT];
	const char *lost = lost_text(in, buf), *more = "";

	if (!out->pages && !in->unsized)
		more = ". " HELPS;
	else if (in->may_lag)
		more = ". If a larger ring is not enough, send fewer or smaller "
		       "records, or give the reader more CPU time";
	if (!*more && wakes_late(in) && !has_no_watermark(in))
		snprintf(out->reason, sizeof(out->reason),
			 "%s: woken at %s of %s, the owner "
			 "drained too late; a lower watermark would help, too, "
			 "if it has such a setting", lost, w->watermark, w->size);
	else
		snprintf(out->reason, sizeof(out->reason), "%s: more than the "
			 "ring's %s arrived before its owner drained it%s", lost,
			 w->size, more);
}

static void advise_tight(const struct advice_input *in,
			 const struct advice_words *w, struct advice *out)
{
	char grown[TARGET_BUF];

	advice_tight(in, out);
	snprintf(out->text, sizeof(out->text), "grow to %s: peak seen %s of %s%s",
		 target(in, out->pages, grown, sizeof(grown)), w->fill,
		 w->size, in->may_lag ? doubt(in, out->pages) : "");
}

static const char *why_uncounted(const struct advice_input *in)
{
	return in->ringbuf ? "a BPF ring buffer does not count losses" :
			     "this kernel does not count all losses";
}

/*
 * Losses are not counted, but the ring is nearly full whenever it is polled,
 * and little is taken from it in between.
 */
static void advise_slow_reader(const struct advice_input *in,
			       struct advice *out)
{
	char taken[UNIT_BUF];

	out->verdict = VERDICT_TOO_SLOW;
	out->need = 0;
	snprintf(out->text, sizeof(out->text),
		 "no size helps: %s; nearly full at most polls, although its reader reads %s/s",
		 host_remedy_less(source_of(in)),
		 units_bytes(taken, sizeof(taken), in->taken_per_s));
	snprintf(out->reason, sizeof(out->reason), "%s. " HELPS,
		 why_uncounted(in));
}

/* Losses are not counted, so the ring may have lost records. */
static void advise_uncounted(const struct advice_input *in,
			     const struct advice_words *w, struct advice *out)
{
	double fill = (double)in->peak / (double)in->size;
	char grown[TARGET_BUF];

	if (fill > ADVICE_TIGHT) {
		out->verdict = VERDICT_TIGHT;
		out->pages = advice_grown(in);
		snprintf(out->text, sizeof(out->text), "%s: peak seen %s of %s; "
			 "try %s", fill > full_fill ? "may lose records" :
			 "may be too small", w->fill, w->size,
			 target(in, out->pages, grown, sizeof(grown)));
	} else {
		snprintf(out->text, sizeof(out->text), "not seen near full: "
			 "peak seen %s of %s", w->fill, w->size);
	}
	snprintf(out->reason, sizeof(out->reason), "%s, so the size it needs "
		 "is unknown%s", why_uncounted(in),
		 in->ringbuf ? "; --ringbuf-drops counts its losses" : "");
}

/*
 * Nothing was lost.  Shrink only after a burst was seen, and if no other losses
 * occurred.
 */
static void advise_fits(const struct advice_input *in,
			const struct advice_words *w, struct advice *out)
{
	bool sure = in->usual && !in->excused;
	uint64_t pages = sure ? advice_shrunk(in, out->need) : 0;
	char shrunk[TARGET_BUF], watched[UNIT_BUF], before[80] = "";

	/* what lost before may lose again */
	out->verdict = in->lost_before && in->early ? VERDICT_UNKNOWN :
						      VERDICT_OK;
	if (in->usual)
		out->pages = pages ? pages : advice_pages(in, in->size);
	if (pages) {
		snprintf(out->text, sizeof(out->text),
			 "could shrink to %s: peak seen %s, %s",
			 target(in, pages, shrunk, sizeof(shrunk)), w->peak,
			 w->product);
		snprintf(out->reason, sizeof(out->reason),
			 "holds twice the peak seen in %s, and the most that "
			 "can have waited between two drains",
			 units_duration(watched, sizeof(watched),
					in->watched));
		return;
	}
	if (in->lost_before)
		snprintf(before, sizeof(before), "%s lost before rbtop "
			 "watched it, none since: ",
			 units_count(watched, sizeof(watched),
				     (double)in->lost_before));
	else if (in->lost_stopped && !in->ftrace)
		snprintf(before, sizeof(before), "%s lost while its owner was "
			 "stopped, none otherwise: ",
			 units_count(watched, sizeof(watched),
				     (double)in->lost_stopped));
	snprintf(out->text, sizeof(out->text), "%sfits%s%s peak seen %s of %s",
		 before, in->usual ? "" : " so far",
		 before[0] ? "," : ":", w->fill, w->size);
	snprintf(out->reason, sizeof(out->reason), "%s in %s",
		 advice_nothing_lost(in),
		 units_duration(watched, sizeof(watched), in->watched));
	/* a bound that is above what was the case says nothing */
	if (out->need <= in->size)
		text_append(out->reason, sizeof(out->reason),
			    "; at most between two drains: %s", w->product);
}

/* If the size does not cause the losses: set the advice, return true. */
static bool advise_none(const struct advice_input *in,
			struct advice *out)
{
	char gap[UNIT_BUF];

	if (in->stopped) {
		snprintf(out->text, sizeof(out->text),
			 "no size is enough: its owner is stopped");
		snprintf(out->reason, sizeof(out->reason),
			 "stopped by SIGSTOP or a debugger: nothing is drained "
			 "until it resumes");
	} else if (in->undrained >= RING_UNDRAINED && in->ftrace &&
		   in->pid <= 0) {
		snprintf(out->text, sizeof(out->text),
			 "no size is enough: no process reads it");
		snprintf(out->reason, sizeof(out->reason),
			 "the buffer is full and options/overwrite is off: new events are dropped until it is read");
	} else if (in->undrained >= RING_UNDRAINED) {
		snprintf(out->text, sizeof(out->text), "no size is enough: its "
			 "owner has not drained it for %s or more%s",
			 units_duration(gap, sizeof(gap), in->undrained),
			 in->output_wait > 0 ? "; it waits for its output: a "
			 "full pipe, a terminal or a disk" : "");
		snprintf(out->reason, sizeof(out->reason), in->entries ?
			 "the ring is full: the kernel queues further completions outside of it" :
			 "the ring is full: new records are lost until its "
			 "owner reads it");
	}
	if (out->text[0])
		out->verdict = VERDICT_STUCK;
	return out->text[0];
}

/* The same if data arrives faster than it is drained. */
static bool advise_behind(const struct advice_input *in,
			  struct advice *out)
{
	char taken[UNIT_BUF], come[UNIT_BUF], lost[LOST_TEXT], what[64];

	if (!in->behind)
		return false;
	out->verdict = VERDICT_TOO_SLOW;
	units_bytes(taken, sizeof(taken), in->limit_per_s > 0 ?
		    in->limit_per_s : in->taken_per_s);
	if (in->unsized && !(in->limit_per_s > 0))
		snprintf(what, sizeof(what), "and %s records/s are lost",
			 units_count(come, sizeof(come), in->lost_per_s));
	else
		snprintf(what, sizeof(what), in->limit_per_s > 0 ?
			 "and at least %s/s arrived" : "but at least %s/s arrives",
			 units_bytes(come, sizeof(come), in->came_per_s));
	snprintf(out->text, sizeof(out->text), "no size helps: %s; its reader "
		 "%s %s/s, %s", host_remedy_less(source_of(in)),
		 in->limit_per_s > 0 ? "can read" : "reads", taken, what);
	snprintf(out->reason, sizeof(out->reason), "%s; %s",
		 lost_text(in, lost), in->limit_per_s > 0 ?
		 "its reader never slept, and a CPU of its own would not be "
		 "enough" : "the ring is nearly full at most polls, although "
		 "it is drained. " HELPS);
	return true;
}

/* The same if its reader waits for what it writes to. */
static bool advise_output(const struct advice_input *in,
			  struct advice *out)
{
	char wait[UNIT_BUF], lost[LOST_TEXT];

	if (!(in->output_wait > 0))
		return false;
	out->verdict = VERDICT_TOO_SLOW;
	snprintf(out->text, sizeof(out->text), "no size helps: its main thread "
		 "waits for its output %s of the time: write to something "
		 "faster, or %s", units_share(wait, sizeof(wait),
					      in->output_wait),
		 host_remedy_less(source_of(in)));
	snprintf(out->reason, sizeof(out->reason), "%s; it reads nothing "
		 "while it is blocked in write(2) or a similar call: the disk, "
		 "or the program reading its output, cannot keep up",
		 lost_text(in, lost));
	return true;
}

/* The reason why it is not possible yet, or NULL. */
static const char *too_early(const struct advice_input *in)
{
	if (in->burst_bytes_per_s > 0 && advice_gap(in) > 0)
		return NULL;
	if (advice_is_tight(in))
		return "too early: nearly full, and not drained yet since "
		       "first seen";
	return in->early ?
		"too early: nothing was written between two polls yet" :
		"nothing has been written to it since it was first seen or reset";
}

/* "renice -n -10 -p 4242"; the next step for one that has that, or realtime. */
static void write_priority(const struct advice_input *in, char *buf,
			   size_t size)
{
	enum { REALTIME = 99, NICE_10 = 110 };
	char who[12] = "PID";

	if (in->pid > 0)
		snprintf(who, sizeof(who), "%d", (int)in->pid);
	if (in->priority && in->priority <= REALTIME)
		snprintf(buf, size, "more CPU time");
	else if (in->priority && in->priority <= NICE_10)
		snprintf(buf, size, "chrt -f -p 1 %s", who);
	else
		snprintf(buf, size, "renice -n -10 -p %s", who);
}

/* If the size is not an option of the owner, a priority is easier to try. */
static void also_blame(const struct advice_input *in, struct advice *out)
{
	const double some = 0.1;
	char priority[32], wait[UNIT_BUF];

	if (!out->pages || !(in->run_wait >= some) ||
	    host_remedy_is_option(in->comm, kind_of(in)))
		return;
	write_priority(in, priority, sizeof(priority));
	text_append(out->text, sizeof(out->text),
		    "; or %s: its main thread waits for a CPU %s of the time",
		    priority, units_share(wait, sizeof(wait), in->run_wait));
}

/*
 * Records are lost, and the owner's main thread, which usually is the reader,
 * waits for a CPU most of the time: a priority helps, too, if the ring is not
 * very small, and comes first where the size is not an option of the owner.
 */
static void blame_scheduler(const struct advice_input *in,
			    struct advice *out)
{
	char renice[32], why[56], wait[UNIT_BUF];
	char size[sizeof(out->text) - sizeof(renice) - sizeof(why) - 20];

	if (!in->lost || (in->unsized && !in->behind))
		return;
	if (!in->starved) {
		also_blame(in, out);
		return;
	}
	out->verdict = VERDICT_UNSCHEDULED;
	write_priority(in, renice, sizeof(renice));
	snprintf(why, sizeof(why), "its main thread waits for a CPU %s of the "
		 "time", units_share(wait, sizeof(wait), in->run_wait));
	snprintf(size, sizeof(size), "%.*s", (int)sizeof(size) - 1, out->text);
	if (!out->pages)
		snprintf(out->text, sizeof(out->text),
			 "%s: %s; a larger ring only delays losses", renice,
			 why);
	else if (host_remedy_is_option(in->comm, kind_of(in)))
		snprintf(out->text, sizeof(out->text),
			 "%s; %s may help, too: %s", size, renice, why);
	else
		snprintf(out->text, sizeof(out->text), "%s: %s; or %s", renice,
			 why, size);
}

/*
 * Its reader never sleeps.  That is measured for some seconds, until it is known
 * whether it could read what comes.
 */
static void leave_undecided(const struct advice_input *in,
			    struct advice *out)
{
	char min[TARGET_BUF];

	/* what waits for a CPU does not sleep either */
	if (!in->busy || in->starved || !out->pages)
		return;
	out->undecided = true;
	snprintf(out->text, sizeof(out->text),
		 "keep watching: its reader never sleeps, so a larger ring may not help; if one does, it must be at least %s",
		 target(in, out->pages, min, sizeof(min)));
}

static void advise_size(const struct advice_input *in, struct advice *out)
{
	struct advice_words w;

	out->need = advice_need(in);
	advice_words_make(in, out->need, true, &w);
	if (in->lost) {
		advise_lost(in, &w, out);
		reason_lost(in, &w, out);
		leave_undecided(in, out);
		blame_scheduler(in, out);
	} else if (in->uncounted && in->always_full) {
		advise_slow_reader(in, out);
	} else if (in->uncounted) {
		advise_uncounted(in, &w, out);
	} else if (advice_is_tight(in)) {
		advise_tight(in, &w, out);
	} else {
		advise_fits(in, &w, out);
	}
}

void host_advice_make(const struct advice_input *in, struct advice *out)
{
	const char *why_not = advice_refusal(in);

	*out = (struct advice){
		.burst_bytes_per_s = in->burst_bytes_per_s,
		.worst_gap = advice_gap(in),
		.early = in->early || in->busy,
		.valid = true,
	};
	if (!why_not && (!in->size || !in->page_size))
		why_not = "the size of the ring is unknown";
	if (!why_not && (advise_none(in, out) || advise_output(in, out)))
		return;
	if (!why_not && advise_behind(in, out)) {
		if (!(in->limit_per_s > 0))
			blame_scheduler(in, out);
		return;
	}
	if (!why_not && in->oversized) {
		advise_oversized(in, out);
		return;
	}
	if (!why_not)
		why_not = too_early(in);
	if (!why_not) {
		advise_size(in, out);
		return;
	}
	out->valid = false;
	if (in->overwrite)
		out->verdict = VERDICT_OVERWRITE;
	snprintf(out->reason, sizeof(out->reason), "%s", why_not);
}

void host_advice_share(const struct advice_input *in, uint64_t pages,
		       const char *label, struct advice *out)
{
	uint64_t present = advice_pages(in, in->size);
	char all[TARGET_BUF];

	snprintf(out->text, sizeof(out->text), "%s %s, which %s of its owner "
		 "needs; %llu for this one alone%s",
		 pages > present ? "grow to" : pages == present ? "keep" :
		 "could shrink to", target(in, pages, all, sizeof(all)),
		 *label ? label : "another ring",
		 (unsigned long long)out->pages,
		 in->lost ? doubt(in, pages) : "");
	out->shared = true;
	out->early |= in->lost && *doubt(in, pages);
	out->pages = pages;
	out->need = pages * in->page_size;
	if (in->lost)
		leave_undecided(in, out);
	blame_scheduler(in, out);
}
