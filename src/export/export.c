/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/export.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "samples/samples.h"

static const struct export_format *const formats[] = {
#define ADDRESS(name) &export_##name,
	EXPORT_FORMATS(ADDRESS)
#undef ADDRESS
};

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

const char *export_names(void)
{
#define AFTER_COMMA(name) ", " #name
	static const char names[] = EXPORT_FORMATS(AFTER_COMMA);
#undef AFTER_COMMA

	return &names[2];
}

const char *row_no_samples(const struct frame *frame)
{
	return frame->nr_rings && frame->rings[0].overwrite ?
	       "no samples are decoded: overwrite rings are read on demand" :
	       "no samples are decoded";
}

bool row_hot_by_field(const struct samples *samples)
{
	return samples->group & 1u << HOT_FIELD;
}

int row_hot(const struct frame *frame, struct hot_rows *rows)
{
	struct hot_query query = {
		.keys = 1u << HOT_SYMBOL | 1u << HOT_DSO | 1u << HOT_COMM,
	};
	int ret;

	if (!frame->samples || !frame->samples->hot)
		return -ENOENT;
	if (row_hot_by_field(frame->samples))
		query.keys |= frame->samples->group;
	ret = hot_rows_query(frame->samples->hot, &query, rows);
	/* Functions that only call others have no samples of their own. */
	while (!ret && rows->nr && rows->rows[rows->nr - 1].samples <= 0)
		rows->nr--;
	return ret;
}

const struct host *row_host(const struct frame *frame)
{
	return frame->nr_rings ? NULL : frame->host;
}

const struct ring_row *row_rings(const struct frame *frame, size_t *nr)
{
	const struct host *host = row_host(frame);

	*nr = host ? host->nr_rows : frame->nr_rings;
	return host ? host->rows : frame->rings;
}

bool row_has(enum figure figure, const struct ring_row *row)
{
	const struct figure_info *info = figure_info(figure);

	if (info->bound == BOUND_ROUNDS && figure_is_bound(figure, row))
		return false;
	return !row->reads || !info->foreign;
}

int row_flush(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}
