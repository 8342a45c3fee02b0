/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "perf/target/workload.h"
#include "source/source.h"

static void log_line(struct source_command *c)
{
	c->line[c->line_len] = '\0';
	source_notes_add(c->notes, LOG_OUTPUT, "%s", c->line);
	c->line_len = 0;
}

static void add_output(struct source_command *c, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\n' && text[i] != '\0')
			c->line[c->line_len++] = text[i] == '\t' ? ' ' :
								   text[i];
		if (text[i] == '\n' || c->line_len + 1 == sizeof(c->line))
			log_line(c);
	}
}

bool source_command_read(struct source_command *c)
{
	enum { READS = 16 };
	int fd = workload_output_fd(c->workload);
	char buf[4096];
	ssize_t n = 1;

	for (int i = 0; i < READS && n > 0; i++) {
		n = read(fd, buf, sizeof(buf));
		if (n > 0)
			add_output(c, buf, (size_t)n);
	}
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return true;
	if (c->line_len)
		log_line(c);
	return false;
}

bool source_command_check(struct source_command *c)
{
	const char *name;

	if (!c->workload || c->ended ||
	    !workload_ended(c->workload, &c->status))
		return false;
	c->ended = true;
	if (workload_output_fd(c->workload) >= 0)
		source_command_read(c);
	if (c->line_len)
		log_line(c);
	name = workload_name(c->workload);
	c->signal = workload_signal(c->workload);
	if (c->signal)
		source_notes_add(c->notes, LOG_EXIT,
				 "%s was ended by signal %d (%s)", name,
				 c->signal, strsignal(c->signal));
	else
		source_notes_add(c->notes, LOG_EXIT,
				 "%s ended with status %d", name, c->status);
	return true;
}
