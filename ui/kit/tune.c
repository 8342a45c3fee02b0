/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/tune.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "host/table/host.h"
#include "perf/event/event_spec.h"
#include "ring/reading.h"
#include "ui/kit/keys.h"
#include "ui/kit/prompt.h"
#include "ui/kit/view.h"

enum { TEXT = 256 };

/* A rate as typed: "4000" is a frequency in Hz, "c1000" a period. */
struct rate {
	bool period;
	uint64_t value;
};

static int parse_rate(const char *text, struct rate *rate, struct err *err)
{
	int ret;

	rate->period = tolower((unsigned char)*text) == 'c';
	ret = units_parse_number(text + rate->period, UINT32_MAX,
				 rate->period ? "period" : "frequency",
				 &rate->value, err);
	if (ret < 0)
		return ret;
	return rate->value ? 0 : err_usage(err, "the rate must not be 0");
}

/* True if the rate exceeds the kernel's limit, as far as that is known; then
 * @buf says what follows. */
static bool exceeds(const struct event_rates *r, const struct rate *rate,
		    char *buf, size_t size)
{
	if (!r->max)
		return false;
	if (!rate->period && rate->value > r->max) {
		snprintf(buf, size, "%" PRIu64 " Hz exceeds "
			 "kernel.perf_event_max_sample_rate: it would be "
			 "lowered to %" PRIu64 " Hz", rate->value, r->max);
		return true;
	}
	if (!rate->period && r->clock && rate->value > CLOCK_FREQ_SAFE) {
		snprintf(buf, size, "%" PRIu64 " Hz: an interrupt every %" PRIu64
			 " us may leave the CPUs no time for anything else",
			 rate->value, 1000000 / rate->value);
		return true;
	}
	if (rate->period && r->clock && rate->value < 1000000000 / r->max) {
		snprintf(buf, size, "a sample every %" PRIu64 " ns exceeds "
			 "kernel.perf_event_max_sample_rate, %" PRIu64
			 " per second: interrupts may fill the CPUs",
			 rate->value, r->max);
		return true;
	}
	return false;
}

/* The units, and what the kernel allows. */
static void say_units(struct view *view)
{
	const struct event_rates *r = &view->shell->rates;
	char limit[64] = "", share[64] = "", text[TEXT];

	if (r->max)
		snprintf(limit, sizeof(limit), "; the kernel allows %" PRIu64
			 " per second", r->max);
	if (r->max && r->cpu_percent)
		snprintf(share, sizeof(share), " and %u%% of a CPU",
			 r->cpu_percent);
	snprintf(text, sizeof(text), "samples per second (Hz), or c and %s per "
		 "sample%s%s", r->clock ? "ns" : "events", limit, share);
	view->shell->message(view->shell, ROLE_NOTICE, text);
}

/* While it is typed. */
static void say_typed(struct view *view, const char *typed)
{
	struct err err = { .kind = ERR_NONE };
	char text[TEXT];
	struct rate rate;

	if (parse_rate(typed, &rate, &err) == 0 &&
	    exceeds(&view->shell->rates, &rate, text, sizeof(text)))
		view->shell->message(view->shell, ROLE_WARN, text);
	else
		say_units(view);
}

static void rate_done(struct view *view, const char *text, bool final);

static void ask_again(struct view *view, const char *typed)
{
	struct shell *shell = view->shell;

	text_copy(shell->risky_rate, sizeof(shell->risky_rate), typed);
	shell->prompt(shell, "Enter again to set it: ", typed, true, rate_done,
		      view);
	say_typed(view, typed);
}

static void rate_done(struct view *view, const char *text, bool final)
{
	struct shell *shell = view->shell;
	struct err err = { .kind = ERR_NONE };
	struct request rq = { .kind = REQUEST_FREQ };
	char why[TEXT];
	struct rate rate;

	if (!final)
		say_typed(view, text);
	if (!final || !text || !*text)
		return;
	if (parse_rate(text, &rate, &err) < 0) {
		shell->message(shell, ROLE_BAD, err.text);
		return;
	}
	if (exceeds(&shell->rates, &rate, why, sizeof(why)) &&
	    strcmp(text, shell->risky_rate)) {
		ask_again(view, text);
		return;
	}
	rq.kind = rate.period ? REQUEST_PERIOD : REQUEST_FREQ;
	rq.value = rate.value;
	shell->request(shell, &rq);
}

/*
 * Ask for a frequency, or with a leading c for a period, and request it.  While
 * one that exceeds @rates is typed a message says so; it needs a second Enter.
 */
static void ask_rate(struct view *view, const struct event_rates *rates)
{
	struct shell *shell = view->shell;
	char label[PROMPT_LABEL];

	shell->rates = *rates;
	shell->risky_rate[0] = '\0';
	if (rates->freq)
		snprintf(label, sizeof(label), "rate (now %" PRIu64 " Hz): ",
			 rates->freq);
	else if (rates->period)
		snprintf(label, sizeof(label), "rate (now c%" PRIu64 "): ",
			 rates->period);
	else
		snprintf(label, sizeof(label), "rate: ");
	shell->prompt(shell, label, "", true, rate_done, view);
	say_units(view);
}

/* One request for all of these rings, so that there is one message. */
static void send_rings(struct view *view, enum request_kind kind,
		       const size_t *rings, size_t nr, bool on)
{
	struct request rq = { .kind = kind, .rings = rings, .nr_rings = nr,
			      .on = on };

	if (nr)
		view->shell->request(view->shell, &rq);
}

static void say(struct view *view, enum role role, const char *text)
{
	view->shell->message(view->shell, role, text);
}

static bool can_resize(const struct ring_row *r)
{
	return !r->gone && r->size && r->size != UNKNOWN;
}

static bool is_read_on_demand(const struct ring_row *r)
{
	return r->overwrite || (r->aux.size && r->aux.overwrite);
}

/* Send a request for the rings that @wanted accepts.  Returns how many. */
static size_t send_wanted(struct view *view, const struct frame *frame,
			  const size_t *rings, size_t nr,
			  bool (*wanted)(const struct ring_row *r),
			  enum request_kind kind, bool on)
{
	size_t *some = calloc(nr + 1, sizeof(*some)), asked = 0;

	for (size_t i = 0; some && i < nr; i++) {
		if (wanted(&frame->rings[rings[i]]))
			some[asked++] = rings[i];
	}
	send_rings(view, kind, some, asked, on);
	free(some);
	return asked;
}

static void read_rings(struct view *view, const struct frame *frame,
		       const size_t *rings, size_t nr)
{
	if (!send_wanted(view, frame, rings, nr, is_read_on_demand,
			 REQUEST_READ, false))
		say(view, ROLE_NOTICE,
		    "r reads overwrite rings (--overwrite) and AUX heads in "
		    "snapshot mode; other rings are drained continuously");
}

static void snapshot_some(struct view *view, const size_t *rings, size_t nr)
{
	struct request rq = { .kind = REQUEST_SNAPSHOT, .rings = rings,
			      .nr_rings = nr, .text = "key" };

	if (nr)
		view->shell->request(view->shell, &rq);
	else
		say(view, ROLE_NOTICE, "no ring is tagged or under the "
		    "cursor; s takes a snapshot of all rings");
}

/* Whether any ring is read on demand only. */
static bool can_read(const struct frame *frame)
{
	for (size_t i = 0; i < frame->nr_rings; i++) {
		if (is_read_on_demand(&frame->rings[i]))
			return true;
	}
	return false;
}

bool tune_can_snapshot(const struct frame *frame)
{
	return frame->snapshots && can_read(frame);
}

/* Rings that are drained continuously can be recorded. */
static bool can_record(const struct frame *frame)
{
	for (size_t i = 0; frame->snapshots && i < frame->nr_rings; i++) {
		if (!frame->rings[i].overwrite)
			return true;
	}
	return false;
}

bool tune_offers(const struct shell *shell, const struct frame *frame,
		 enum action action)
{
	const struct snapshots *s = frame->snapshots;

	if (keys_info(action)->section != KEYS_TUNE)
		return true;
	if (shell->config->readonly || frame->playback)
		return false;
	switch ((int)action) {
	case ACTION_SNAPSHOT:
	case ACTION_SNAPSHOT_SOME:
		return tune_can_snapshot(frame);
	case ACTION_SNAPSHOT_CANCEL:
		return s && s->nr && s->list[s->nr - 1].state < SNAPSHOT_DONE;
	case ACTION_RECORD:
		return can_record(frame);
	case ACTION_READ:
		return can_read(frame);
	case ACTION_DROPS:
		return frame->host && frame->host->status.bpf &&
		       frame->host->total.nr[RING_BPF];
	default:
		return true;
	}
}

/* Say why a key has no effect if it does not apply to any of these rings. */
static void say_none(struct view *view, size_t nr)
{
	say(view, ROLE_NOTICE, nr ? "the ring is gone" :
				    "no ring is tagged or under the cursor");
}

/* All events are enabled and disabled together; those of a ring that is gone
 * are not. */
bool tune_are_enabled(const struct frame *frame)
{
	for (size_t i = 0; i < frame->nr_rings; i++) {
		if (!frame->rings[i].gone)
			return frame->rings[i].enabled;
	}
	return false;
}

bool tune_action(struct view *view, const struct frame *frame,
		 enum action action, const size_t *rings, size_t nr)
{
	if (keys_info(action)->section != KEYS_TUNE)
		return false;
	if (view->shell->config->readonly) {
		say(view, ROLE_BAD, VIEW_READONLY);
		return true;
	}
	switch ((int)action) {
	case ACTION_GROW:
	case ACTION_SHRINK:
		if (!send_wanted(view, frame, rings, nr, can_resize,
				 REQUEST_RESIZE, action == ACTION_GROW))
			say_none(view, nr);
		return true;
	case ACTION_PAUSE:
		if (nr)
			send_rings(view, REQUEST_PAUSE, rings, nr,
				   !frame->rings[rings[0]].paused);
		else
			say_none(view, nr);
		return true;
	case ACTION_ENABLE:
		view->shell->request(view->shell, &(struct request){
			.kind = REQUEST_ENABLE,
			.on = !tune_are_enabled(frame) });
		return true;
	case ACTION_READ:
		read_rings(view, frame, rings, nr);
		return true;
	case ACTION_SNAPSHOT_SOME:
		snapshot_some(view, rings, nr);
		return true;
	case ACTION_RATE:
		ask_rate(view, &frame->rates);
		return true;
	default:
		return false;
	}
}
