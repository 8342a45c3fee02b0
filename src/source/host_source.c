/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/host_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/caps.h"
#include "base/err.h"
#include "base/sys.h"
#include "source/source.h"

#define FIRST_PASS 1.0	/* seconds to wait for the first picture at most */

struct host_source {
	struct source source;
	struct host_watch_opts opts;
};

/* Everything that it reads is there at once, so it needs few privileges. */
static int host_start(struct source *source, struct err *err)
{
	struct host_source *hs = (struct host_source *)source;
	int ret = caps_limit(err);

	if (ret == 0)
		ret = source_watch_host(source, &hs->opts, err);
	if (ret == 0)
		host_watch_wait(source->host, FIRST_PASS);
	return ret;
}

static int host_read(struct source *source, struct reading *r, struct err *err)
{
	(void)source;
	(void)err;
	r->page_size = sys_page_size();
	r->mono = sys_now();
	r->wall = sys_wall_clock();
	r->cpu = sys_process_cpu();
	r->rss = sys_rss();
	return 0;
}

static int host_request(struct source *source, const struct request *rq,
			struct err *err)
{
	(void)source;
	(void)rq;
	return err_set(err, -EOPNOTSUPP, "--host only watches: the rings are "
		       "their owners'");
}

static void host_close(struct source *source)
{
	free(source);
}

static const struct source_ops host_ops = {
	.name = "host",
	.start = host_start,
	.read = host_read,
	.request = host_request,
	.close = host_close,
};

struct source *host_source_open(const struct host_watch_opts *opts,
				struct err *err)
{
	struct host_source *hs = calloc(1, sizeof(*hs));

	if (!hs || source_init(&hs->source, &host_ops) != 0) {
		free(hs);
		err_set(err, -ENOMEM, "the host view: out of memory");
		return NULL;
	}
	hs->opts = *opts;
	snprintf(hs->source.title, sizeof(hs->source.title),
		 "every ring of the machine");
	return &hs->source;
}
