/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ui/kit/rate.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "ui/kit/prompt.h"

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
	if (!r->most)
		return false;
	if (!rate->period && rate->value > r->most) {
		snprintf(buf, size, "%" PRIu64 " Hz exceeds "
			 "kernel.perf_event_max_sample_rate: it would be "
			 "lowered to %" PRIu64 " Hz", rate->value, r->most);
		return true;
	}
	if (!rate->period && r->clock && rate->value > CLOCK_FREQ_SAFE) {
		snprintf(buf, size, "%" PRIu64 " Hz: an interrupt every %" PRIu64
			 " us may leave the CPUs no time for anything else",
			 rate->value, 1000000 / rate->value);
		return true;
	}
	if (rate->period && r->clock && rate->value < 1000000000 / r->most) {
		snprintf(buf, size, "a sample every %" PRIu64 " ns exceeds "
			 "kernel.perf_event_max_sample_rate, %" PRIu64
			 " per second: interrupts may fill the CPUs",
			 rate->value, r->most);
		return true;
	}
	return false;
}

/* The units, and what the kernel allows. */
static void say_units(struct view *view)
{
	const struct event_rates *r = &view->shell->rates;
	char limit[64] = "", share[64] = "", text[TEXT];

	if (r->most)
		snprintf(limit, sizeof(limit), "; the kernel allows %" PRIu64
			 " per second", r->most);
	if (r->most && r->cpu_percent)
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

void rate_ask(struct view *view, const struct event_rates *rates)
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
