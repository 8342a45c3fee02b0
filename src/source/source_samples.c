/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/source_samples.h"

#include <errno.h>

#include "base/err.h"
#include "resolve/resolver_thread.h"

const struct samples *source_samples_read(struct resolver_thread *resolver,
					  const struct reading *r)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < r->nr_rings; i++)
		seen += r->rings[i].stats.types[RECORD_SAMPLE];
	return resolver_thread_read(resolver, seen, r->mono);
}

int source_samples_request(struct source *s, bool overwrite,
			   const struct request *rq, struct err *err)
{
	if (!s->resolver || !s->decodes)
		return err_set(err, -EOPNOTSUPP, "no samples are decoded (%s)",
			       overwrite ?
			       "overwrite rings are read on demand" :
			       "--decode 0");
	if (rq->kind == REQUEST_FILTER)
		return resolver_thread_filter(s->resolver, rq->text, err);
	return resolver_thread_field(s->resolver, rq->text, err);
}
