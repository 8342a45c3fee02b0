/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests to the live source, of a front end and of --control. */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/loop.h"
#include "base/sys.h"
#include "base/text.h"
#include "base/units.h"
#include "collect/drain/overwrite.h"
#include "source/source_samples.h"
#include "trace/snapshot/snapshot_thread.h"

/* Log a line about a ring: "CPU 0: " or "thread 12: ", and the text. */
__attribute__((format(printf, 3, 4)))
static void note_ring(struct session_source *ss, size_t ring, const char *fmt,
		      ...)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	bool cpu = r->cpu >= 0;
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	source_notes_add(&ss->notes, LOG_INFO, "%s %d: %s",
			 cpu ? "CPU" : "thread", cpu ? r->cpu : r->tid, text);
}

static int resize(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	uint64_t old = ring->ring.size;
	char from[16], to[16];
	int ret;

	if (!rq->on && old <= sys_page_size())
		return err_set(err, -EINVAL,
			       "a ring has at least one page: it cannot be halved");
	ret = session_source_ring_swap(ss, rq->ring, rq->on ? old * 2 : old / 2,
				       err);
	if (ret)
		return ret;
	note_ring(ss, rq->ring, "ring of %s replaced by one of %s",
		  units_bytes(from, sizeof(from), (double)old),
		  units_bytes(to, sizeof(to), (double)ring->ring.size));
	return 0;
}

static int pause_output(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	int ret = session_pause(ss->session, rq->ring, rq->on, err);

	if (ret)
		return ret;
	ss->rings[rq->ring].paused = rq->on;
	note_ring(ss, rq->ring, "output %s", rq->on ? "paused" : "resumed");
	return 0;
}

static int enable(struct session_source *ss, const struct request *rq,
		  struct err *err)
{
	int ret;

	collector_trace(ss->collector, false);
	ret = session_enable(ss->session, rq->on, err);
	collector_trace(ss->collector, ret ? ss->enabled : rq->on);
	if (ret)
		return ret;
	ss->enabled = rq->on;
	source_notes_add(&ss->notes, LOG_INFO, "all events %s",
			 rq->on ? "enabled" : "disabled");
	return 0;
}

/* The notice of a too short period stays on screen until the rate changes. */
static void update_period_notice(struct session_source *ss, uint64_t period)
{
	char *notice = ss->source.notice;

	if (!session_period_notice(ss->session, period, notice,
				   sizeof(ss->source.notice)) &&
	    strstr(notice, SESSION_PERIOD_OVER))
		*notice = '\0';
}

static int set_rate(struct session_source *ss, const struct request *rq,
		    struct err *err)
{
	bool freq = rq->kind == REQUEST_FREQ;
	unsigned long long value = rq->value, limited;
	int ret = session_set_rate(ss->session, freq ? rq->value : 0,
				   freq ? 0 : rq->value, err);

	if (ret)
		return ret;
	session_source_title(ss);
	update_period_notice(ss, freq ? 0 : rq->value);
	limited = freq ? session_limit_freq(value) : value;
	if (limited < value)
		source_notes_add(&ss->notes, LOG_INFO, SESSION_FREQ_LOWERED,
				 value, limited);
	else
		source_notes_add(&ss->notes, LOG_INFO,
				 freq ? "samples at %llu Hz" :
					"samples at period %llu",
				 value);
	return 0;
}

/* @lost: records lost before the pause. */
static void note_read(struct session_source *ss, size_t ring, uint64_t lost)
{
	const struct ring_overwrite *read = &ss->rings[ring].read;
	char oldest[16], paused[16], cost[40] = "";

	if (lost != UNKNOWN && read->lost != UNKNOWN)
		snprintf(cost, sizeof(cost), ", %llu lost",
			 (unsigned long long)(read->lost - lost));
	note_ring(ss, ring, "read %llu records, oldest %s; paused for %s%s",
		  (unsigned long long)read->records,
		  units_duration(oldest, sizeof(oldest), read->oldest),
		  units_duration(paused, sizeof(paused), read->paused), cost);
}

/* Stop tracing, read the head, and resume, while the caller waits. */
static int read_aux(struct session_source *ss, size_t ring, struct err *err)
{
	const struct session_ring *r = session_ring(ss->session, ring);
	struct source_ring *state = &ss->rings[ring];
	size_t nr = session_nr_rings(ss->session);
	bool *skip = calloc(nr + 1, sizeof(*skip));
	double spread, before;
	int ret;

	if (!skip)
		return err_set(err, -ENOMEM, "reading a head: out of memory");
	for (size_t i = 0; i < nr; i++)
		skip[i] = i != ring;
	before = sys_now();
	ret = session_aux_hold(ss->session, skip, &spread, err);
	free(skip);
	if (ret)
		return ret;
	session_aux_release(ss->session);
	state->aux_read_at = sys_now();
	state->aux_read_cost = state->aux_read_at - before;
	collector_drain(ss->collector, ring);
	note_ring(ss, ring, "AUX head at %llu; tracing stopped for %.0f us",
		  (unsigned long long)aux_ring_head(&r->aux),
		  state->aux_read_cost * 1e6);
	return 0;
}

static int read_overwrite(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	const struct session_ring *ring = session_ring(ss->session, rq->ring);
	struct source_ring *state = &ss->rings[rq->ring];
	uint64_t lost;
	double before;
	int ret = 0;

	if (ring->aux.overwrite)
		return read_aux(ss, rq->ring, err);
	if (!ring->ring.overwrite)
		return err_set(err, -EOPNOTSUPP,
			       "this ring is drained continuously: only overwrite rings (--overwrite), and AUX rings in snapshot mode, are read on demand");
	lost = session_lost(ss->session, rq->ring);
	before = sys_now();
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, true, err);
	if (ret)
		return ret;
	overwrite_walk(&ring->ring, sys_now_ns(), &state->read);
	if (!state->paused)
		ret = session_pause(ss->session, rq->ring, false, err);
	state->read.at = sys_now();
	state->read.paused = state->read.at - before;
	state->read.lost = session_lost(ss->session, rq->ring);
	note_read(ss, rq->ring, lost);
	return ret;
}

static int request_ring(struct session_source *ss, const struct request *rq,
			struct err *err)
{
	if (rq->ring >= session_nr_watched(ss->session))
		return err_set(err, -EINVAL, "there is no ring %zu", rq->ring);
	if (session_ring(ss->session, rq->ring)->gone)
		return err_set(err, -ENODEV,
			       "the ring's CPU or thread is gone");
	switch (rq->kind) {
	case REQUEST_RESIZE:
		return resize(ss, rq, err);
	case REQUEST_PAUSE:
		return pause_output(ss, rq, err);
	default:
		return read_overwrite(ss, rq, err);
	}
}

/* The request needs samples, rings or events, which no longer exist. */
static int refuse_finished(const struct request *rq, struct err *err)
{
	switch (rq->kind) {
	case REQUEST_FILTER:
		return err_set(err, -ESRCH,
			       "the target has ended: no more samples arrive, and the filter applies to those listed");
	case REQUEST_FIELD:
		return err_set(err, -ESRCH,
			       "the target has ended: its samples were taken without that field");
	default:
		return err_set(err, -ESRCH,
			       "the target has ended: these are its final figures");
	}
}

static int request_locked(struct session_source *ss, const struct request *rq,
			  struct err *err)
{
	/* The last contents of the rings are still available. */
	if (rq->kind == REQUEST_SNAPSHOT || rq->kind == REQUEST_SNAPSHOT_CANCEL)
		return source_snapshots_request(&ss->snapshots, rq, err);
	if (ss->finished)
		return refuse_finished(rq, err);
	switch (rq->kind) {
	case REQUEST_FILTER:
	case REQUEST_FIELD:
		return source_samples_request(&ss->source,
					      ss->opts.session.overwrite, rq,
					      err);
	case REQUEST_RESIZE:
	case REQUEST_PAUSE:
	case REQUEST_READ:
		return request_ring(ss, rq, err);
	case REQUEST_ENABLE:
		return enable(ss, rq, err);
	case REQUEST_FREQ:
	case REQUEST_PERIOD:
		return set_rate(ss, rq, err);
	case REQUEST_RECORD:
		return source_snapshots_request(&ss->snapshots, rq, err);
	default:
		break;
	}
	return err_set(err, -EOPNOTSUPP, "not supported with live events");
}

int session_source_request(struct source *source, const struct request *rq,
			   struct err *err)
{
	struct session_source *ss = (struct session_source *)source;
	int ret;

	pthread_mutex_lock(&ss->lock);
	ret = request_locked(ss, rq, err);
	pthread_mutex_unlock(&ss->lock);
	return ret;
}

/*
 * --control: commands from a FIFO or a file descriptor, one per line, and "ack"
 * for each command done, as in perf-record(1).  On the watch thread.
 */

enum { LINE = 128 };

static const double ack_period = 0.02;	/* seconds between checks whether a
					 * snapshot has ended */

struct session_source_control {
	struct session_source *ss;
	int ctl, ack;		/* -1: none */
	bool close;		/* the FIFOs were opened by rbtop */
	struct loop_source *source, *timer;
	char line[LINE];
	size_t len;
	uint64_t snapshot;	/* number of the latest snapshot requested */
	unsigned int acks;	/* to send when that one has ended */
	unsigned int acks_before; /* to send when the previous one has ended */
};

/*
 * Open the FIFO @text with the user's permissions (@fifo), or use the file
 * descriptor of that number.  It, or -errno; -EINVAL if it is not a FIFO.
 */
static int open_end(bool fifo, const char *text, struct err *err)
{
	struct caps_own own;
	uint64_t nr;
	int fd;

	if (!fifo &&
	    units_parse_number(text, INT_MAX, "--control fd", &nr, err) < 0)
		return -EINVAL;
	if (!fifo && fcntl((int)nr, F_GETFD) < 0)
		return err_set(err, -EBADF, "--control fd:%s: no such file "
			       "descriptor", text);
	if (!fifo)
		return (int)nr;
	caps_own_begin(&own);
	fd = sys_open_fifo(text);
	caps_own_end(&own);
	if (fd == -EINVAL)
		return err_set(err, fd, "--control fifo:%s: not a FIFO: make it "
			       "with mkfifo", text);
	if (fd < 0)
		return err_set(err, fd, "--control fifo:%s: %s%s", text,
			       strerror(-fd),
			       fd == -ENOENT ? ": make it with mkfifo" : "");
	return fd;
}

int session_source_control_check(const char *text, struct err *err)
{
	if ((text_begins(text, "fifo:") && text[5] && text[5] != ',') ||
	    (text_begins(text, "fd:") && text[3] && text[3] != ','))
		return 0;
	return err_usage(err, "--control '%s': must be fifo:CTL[,ACK] or "
			 "fd:CTL[,ACK]", text);
}

int session_source_control_open(struct session_source *ss, struct err *err)
{
	struct session_source_control *c;
	char *text, *ack;

	if (!ss->opts.control)
		return 0;
	text = strdup(strchr(ss->opts.control, ':') + 1);
	c = calloc(1, sizeof(*c));
	ss->control = c;
	if (!c || !text) {
		free(text);
		return err_set(err, -ENOMEM, "--control: out of memory");
	}
	*c = (struct session_source_control){ .ss = ss, .ctl = -1, .ack = -1 };
	c->close = ss->opts.control[1] == 'i';
	ack = strchr(text, ',');
	if (ack)
		*ack++ = '\0';
	c->ctl = open_end(c->close, text, err);
	if (c->ctl >= 0 && ack)
		c->ack = open_end(c->close, ack, err);
	free(text);
	return c->ctl < 0 ? c->ctl : ack && c->ack < 0 ? c->ack : 0;
}

/* Does not block if the other side does not read. */
static void send_ack(const struct session_source_control *c)
{
	static const char ack[] = "ack\n";
	struct pollfd writable = { .fd = c->ack, .events = POLLOUT };

	if (c->ack >= 0 && poll(&writable, 1, 0) == 1 &&
	    writable.revents & POLLOUT && write(c->ack, ack, strlen(ack)) < 0)
		source_notes_add(&c->ss->notes, LOG_ERROR, "--control: ack: %s",
				 strerror(errno));
}

static void send_acks(const struct session_source_control *c,
		      unsigned int *nr)
{
	for (; *nr; (*nr)--)
		send_ack(c);
}

/* Send the acks of snapshots that have ended. */
static void send_due_acks(struct session_source_control *c)
{
	uint64_t ended = snapshot_thread_ended(c->ss->snapshots.thread);

	if (ended + 1 >= c->snapshot)
		send_acks(c, &c->acks_before);
	if (ended >= c->snapshot)
		send_acks(c, &c->acks);
	loop_set_timer(c->timer, c->acks + c->acks_before ? ack_period : 0);
}

static void on_ack_timer(void *ctx, uint64_t expirations)
{
	(void)expirations;
	send_due_acks(ctx);
}

static int request(struct session_source_control *c, enum request_kind kind,
		   bool on, struct request_snapshot *snapshot)
{
	struct request rq = { .kind = kind, .on = on, .snapshot = snapshot };
	struct err err = { 0 };
	int ret;

	snprintf(rq.text, sizeof(rq.text), "--control");
	ret = session_source_request(&c->ss->source, &rq, &err);
	if (ret)
		source_notes_add(&c->ss->notes, LOG_ERROR, "--control: %s",
				 err.text);
	return ret;
}

static void take_snapshot(struct session_source_control *c)
{
	struct request_snapshot got;

	if (request(c, REQUEST_SNAPSHOT, true, &got)) {
		send_ack(c);
		return;
	}
	/* all earlier ones have ended, except the one before this */
	if (got.number != c->snapshot) {
		c->acks_before += c->acks;
		c->acks = 0;
		c->snapshot = got.number;
	}
	c->acks++;
	send_due_acks(c);
}

/* As in perf, the ack is sent even if the command failed. */
static void run_command(struct session_source_control *c)
{
	struct session_source *ss = c->ss;
	char shown[LINE];

	if (!strcmp(c->line, "snapshot")) {
		take_snapshot(c);
		return;
	}
	if (!strcmp(c->line, "enable") || !strcmp(c->line, "disable"))
		request(c, REQUEST_ENABLE, c->line[0] == 'e', NULL);
	else if (!strcmp(c->line, "evlist"))
		for (size_t i = 0; i < ss->opts.session.events.nr; i++) {
			if (!session_event_left_out(ss->session, i))
				source_notes_add(&ss->notes, LOG_INFO,
						 "event %s",
						 session_event_name(ss->session,
								    i));
		}
	else if (!strcmp(c->line, "stop"))
		session_source_stop_target(c->ss);
	else if (strcmp(c->line, "ping")) {
		text_copy(shown, sizeof(shown), c->line);
		source_notes_add(&c->ss->notes, LOG_ERROR,
				 "--control: unknown command '%s': enable, disable, snapshot, evlist, ping or stop",
				 shown);
	}
	send_ack(c);
}

static void add_byte(struct session_source_control *c, char byte)
{
	if (byte != '\n' && byte != '\0') {
		/* a line that is too long is an unknown command */
		if (c->len + 1 < sizeof(c->line))
			c->line[c->len++] = byte;
		return;
	}
	c->line[c->len] = '\0';
	if (c->len)
		run_command(c);
	c->len = 0;
}

static void on_control(void *ctx, uint32_t events)
{
	struct session_source_control *c = ctx;
	char buf[LINE];
	ssize_t n = read(c->ctl, buf, sizeof(buf));

	(void)events;
	for (ssize_t i = 0; i < n; i++)
		add_byte(c, buf[i]);
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	source_notes_add(&c->ss->notes, LOG_INFO,
			 "--control: closed by the other side");
	loop_remove(c->source);
	c->source = NULL;
}

int session_source_control_watch(struct session_source *ss)
{
	struct session_source_control *c = ss->control;

	if (!c)
		return 0;
	c->source = loop_add_fd(ss->loop, c->ctl, EPOLLIN, on_control, c);
	c->timer = loop_add_timer(ss->loop, 0, on_ack_timer, c);
	return c->source && c->timer ? 0 : -errno;
}

void session_source_control_close(struct session_source *ss)
{
	struct session_source_control *c = ss->control;

	if (c && c->close) {
		sys_close(c->ctl);
		sys_close(c->ack);
	}
	free(c);
}
