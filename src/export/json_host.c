/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/json_host.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "export/json_put.h"
#include "export/row.h"
#include "host/table/host.h"

static void put_uid(struct json_put *o, uid_t uid)
{
	json_put_count(o, "uid", uid == (uid_t)-1 ? UNKNOWN : uid);
}

/* What only the reader of the records can count. */
static void put_unread(struct json_put *o)
{
	static const char *const keys[] = {
		"records", "records_per_s", "samples", "timer_drains",
		"wakeup_latency_p50", "wakeup_latency_p99", "throttled",
		"types",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		json_put_null(o, keys[i]);
}

/* Of an AUX ring in the same way. */
static void put_aux_unread(struct json_put *o)
{
	static const char *const keys[] = {
		"stopped", "head_age", "read_cost", "peak", "bytes", "wraps",
		"records", "truncated", "overwritten", "partial", "collision",
		"itrace_starts", "hw_ids", "reenabled",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		json_put_null(o, keys[i]);
}

/* A figure that /proc has not got. */
static uint64_t asked(const struct host_row *row, uint64_t value)
{
	return row->known ? value : UNKNOWN;
}

static void put_asked_bool(struct json_put *o, const struct host_row *row,
			   const char *key, bool value)
{
	if (row->known)
		json_put_bool(o, key, value);
	else
		json_put_null(o, key);
}

static void put_aux(struct json_put *in, const struct host_row *row)
{
	const struct host_aux *aux = &row->aux;
	struct json_put o;

	if (!aux->size) {
		json_put_null(in, "aux");
		return;
	}
	o = json_put_object(in, "aux");
	json_put_count(&o, "size", aux->size);
	json_put_set(&o, "watermark", asked(row, aux->watermark));
	put_asked_bool(&o, row, "overwrite", aux->overwrite);
	json_put_count(&o, "head", asked(row, aux->head));
	json_put_count(&o, "position", asked(row, aux->head % aux->size));
	json_put_count(&o, "tail", asked(row, aux->tail));
	json_put_count(&o, "used", asked(row, aux->used));
	json_put_number(&o, "fill", row->known ? aux->fill : NAN);
	json_put_number(&o, "bytes_per_s", row->known ? aux->bytes_per_s : NAN);
	put_aux_unread(&o);
	json_put_end(&o);
}

static void put_process(struct json_put *in, const struct host_row *row)
{
	struct json_put o;

	if (row->pid < 0) {
		json_put_null(in, "owner");
		return;
	}
	o = json_put_object(in, "owner");
	json_put_id(&o, "pid", row->pid);
	json_put_text(&o, "comm", row->comm);
	json_put_end(&o);
}

static void put_holder(struct json_put *in, const struct host_holder *holder)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_id(&o, "pid", holder->pid);
	json_put_text(&o, "comm", holder->comm);
	json_put_bool(&o, "maps", holder->maps);
	json_put_end(&o);
}

static void put_event(struct json_put *in, const struct host_event *event)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_text(&o, "name", event->name);
	json_put_count(&o, "id", event->id);
	json_put_id(&o, "cpu", event->cpu);
	json_put_id(&o, "tid", event->tid);
	json_put_text(&o, "state", host_event_state_name(event->state));
	json_put_bool(&o, "throttled", event->throttled);
	json_put_bool(&o, "maps", event->maps);
	json_put_set(&o, "freq", event->freq ? event->period : 0);
	json_put_set(&o, "period", event->freq ? 0 : event->period);
	json_put_count(&o, "count", event->count);
	json_put_null(&o, "samples");
	json_put_count(&o, "lost", event->lost);
	json_put_number(&o, "lost_per_s", event->lost_per_s);
	json_put_end(&o);
}

/* The names of the bits. */
static void put_warnings(struct json_put *in, unsigned int warnings)
{
	struct json_put names = json_put_array(in, "warnings");

	for (enum host_warning w = 0; w < HOST_WARNINGS; w++) {
		if (warnings & 1u << w)
			json_put_text(&names, NULL, host_warning_name(w));
	}
	json_put_end(&names);
}

static void put_holders(struct json_put *o, const struct host_row *row)
{
	struct json_put holders = json_put_array(o, "holders");

	for (size_t i = 0; i < row->nr_holders && i < HOST_HOLDERS; i++)
		put_holder(&holders, &row->holders[i]);
	json_put_end(&holders);
}

static void put_events(struct json_put *o, const struct host_row *row)
{
	struct json_put events = json_put_array(o, "events");

	for (size_t i = 0; i < row->nr_events; i++)
		put_event(&events, &row->events[i]);
	json_put_end(&events);
}

/* Whose it is. */
static void put_owner(struct json_put *o, const struct host_row *row)
{
	json_put_text(o, "kind", host_kind_name(row->kind));
	json_put_id(o, "cpu", row->cpu);
	json_put_id(o, "tid", row->tid);
	put_process(o, row);
	put_uid(o, row->uid);
	json_put_text_set(o, "user", row->user);
	json_put_bool(o, "self", row->self);
	put_holders(o, row);
	json_put_count(o, "nr_holders", row->nr_holders);
	json_put_text(o, "event", row->event);
	put_events(o, row);
	json_put_text_set(o, "map", row->map);
	json_put_set(o, "map_id", row->map_id);
	json_put_bool(o, "mapped", row->mapped);
	json_put_bool(o, "known", row->known);
	json_put_bool(o, "gone", row->gone);
	json_put_bool(o, "at_least", row->gone && row->known);
}

static void put_state(struct json_put *o, const struct host_row *row)
{
	put_asked_bool(o, row, "overwrite", row->overwrite);
	put_asked_bool(o, row, "paused", row->paused);
	put_asked_bool(o, row, "woken", row->woken);
	json_put_bool(o, "stopped", row->stopped);
	put_warnings(o, row->warnings);
}

static void put_figures(struct json_put *o, const struct host_row *row)
{
	json_put_count(o, "size", row->size);
	json_put_set(o, "watermark", row->watermark);
	json_put_set(o, "wakeup_events", row->wakeup_events);
	json_put_count(o, "head", row->head);
	json_put_count(o, "tail", row->tail);
	json_put_count(o, "used", row->used);
	json_put_number(o, "fill", row->fill);
	json_put_number(o, "peak", row->peak);
	json_put_set(o, "next_crossing", row->next_crossing);
	json_put_count(o, "bytes", row->bytes);
	json_put_number(o, "bytes_per_s", row->bytes_per_s);
	json_put_count(o, "crossings", row->crossings);
	json_put_count(o, "wakeups", row->wakeups);
	json_put_number(o, "wakeups_per_s", row->wakeups_per_s);
	json_put_count(o, "drains", row->drains);
	json_put_number(o, "drains_per_s", row->drains_per_s);
	json_put_number(o, "undrained", row->undrained);
	json_put_number(o, "worst_gap", row->worst_gap);
	json_put_count(o, "lost", row->lost_reported);
	json_put_count(o, "lost_pending", row->lost_pending);
	json_put_count(o, "lost_all", row->lost);
	json_put_number(o, "lost_per_s", row->lost_per_s);
	json_put_count(o, "remapped", row->remapped);
	json_put_count(o, "locked", row->locked);
	put_unread(o);
}

void json_host_ring(struct json_put *in, const struct host_row *row)
{
	struct json_put o = json_put_object(in, NULL);

	json_put_count(&o, "ring", row->id);
	put_owner(&o, row);
	put_state(&o, row);
	put_figures(&o, row);
	put_aux(&o, row);
	json_put_advice(&o, "advice", &row->advice);
	json_put_end(&o);
}

/* Those that there are; see row_host_counted(). */
static void put_numbers(struct json_put *o, const struct host *host)
{
	const struct host_total *total = &host->total;
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
		{ "rings", total->rings },
		{ "ringbufs", total->ringbufs },
		{ "uncounted", total->uncounted },
		{ "owners", total->owners },
		{ "size", total->size },
		{ "locked", total->locked },
		{ "warned", total->warned },
	};
	bool counted = row_host_counted(host);

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		json_put_count(o, counts[i].key,
			       counted ? counts[i].value : UNKNOWN);
}

/* Sums of what is known of rings; where nothing is, they are no sums. */
static void put_sums(struct json_put *o, const struct host_total *total,
		     bool known)
{
	bool lost_known = total->lost != UNKNOWN;
	bool woken = total->wakeups != UNKNOWN;
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {
		{ "used", total->used },
		{ "bytes", total->bytes },
		{ "wakeups", total->wakeups },
		{ "drains", total->drains },
		{ "lost", row_host_reported(total) },
		{ "lost_pending", total->lost_pending },
		{ "lost_all", total->lost },
	};
	const struct {
		const char *key;
		double value;
	} numbers[] = {
		{ "fill", (double)total->used / (double)total->size },
		{ "bytes_per_s", total->bytes_per_s },
		{ "wakeups_per_s", woken ? total->wakeups_per_s : NAN },
		{ "lost_per_s", lost_known ? total->lost_per_s : NAN },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		json_put_count(o, counts[i].key,
			       known ? counts[i].value : UNKNOWN);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		json_put_number(o, numbers[i].key,
				known ? numbers[i].value : NAN);
}

void json_host_total(struct json_put *in, const struct host *host)
{
	const struct host_total *total = &host->total;
	struct json_put o = json_put_object(in, "total");

	put_numbers(&o, host);
	put_sums(&o, total, host->status.bpf && row_host_counted(host));
	json_put_bool(&o, "at_least", total->at_least);
	json_put_number(&o, "peak", row_host_peak(host));
	put_warnings(&o, total->warnings);
	put_unread(&o);
	json_put_end(&o);
}

static void put_user(struct json_put *in, const struct host_user *user)
{
	struct json_put o = json_put_object(in, NULL);

	put_uid(&o, user->uid);
	json_put_text_set(&o, "name", user->name);
	json_put_count(&o, "rings", user->rings);
	json_put_count(&o, "locked", user->locked);
	json_put_count(&o, "limit", user->limit);
	json_put_count(&o, "pinned", user->pinned);
	json_put_count(&o, "memlock", user->memlock);
	json_put_bool(&o, "exempt", user->exempt);
	json_put_bool(&o, "at_limit", user->at_limit);
	json_put_end(&o);
}

void json_host_users(struct json_put *in, const struct host *host)
{
	struct json_put users = json_put_array(in, "users");

	for (size_t i = 0; i < host->nr_users; i++)
		put_user(&users, &host->users[i]);
	json_put_end(&users);
}

void json_host_status(struct json_put *in, const struct host *host)
{
	const struct host_status *status = &host->status;
	bool counted = row_host_counted(host);
	struct json_put o = json_put_object(in, "host");

	json_put_bool(&o, "ready", status->ready);
	json_put_bool(&o, "bpf", status->bpf);
	json_put_text_set(&o, "reason", status->reason);
	json_put_text_set(&o, "error", status->error);
	json_put_count(&o, "passes", status->passes);
	json_put_number(&o, "interval", status->interval);
	json_put_number(&o, "cost", status->cost);
	json_put_number(&o, "whole_age", status->whole_age);
	json_put_count(&o, "files", counted ? status->files : UNKNOWN);
	json_put_count(&o, "ringless",
		       status->bpf ? status->ringless : UNKNOWN);
	json_put_count(&o, "processes",
		       counted ? status->processes : UNKNOWN);
	json_put_count(&o, "hidden", status->hidden);
	json_put_id(&o, "self", host->self);
	json_put_end(&o);
}
