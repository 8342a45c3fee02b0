/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --control: commands from a FIFO or a file descriptor, one per line, and "ack"
 * for each command done, as in perf-record(1).  On the watch thread.
 */
#include "source/session/session_source_state.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
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
#include "trace/snapshot/snapshot_thread.h"

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
