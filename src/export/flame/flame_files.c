/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/flame/flame_files.h"

#include <errno.h>
#include <limits.h>
#include <math.h>

#include "base/err.h"
#include "base/file/new_file.h"
#include "base/sys.h"
#include "base/units.h"
#include "export/flame/flame_svg.h"
#include "export/row.h"

enum {
	NAME_BUF = 1024,
	/* most files per second */
	MAX_SAME = 100,
};

/* The frames from the root, without it, to @box. */
static void put_path(const struct flame *flame, uint32_t box, FILE *out)
{
	const struct flame_box *b = &flame->boxes[box];
	char name[NAME_BUF];

	if (b->parent == FLAME_NONE)
		return;
	if (b->depth > 1) {
		put_path(flame, b->parent, out);
		fputc(';', out);
	}
	fputs(flame_folded_name(b, name, sizeof(name)), out);
}

int flame_files_folded(const struct flame *flame, FILE *out)
{
	double sum = 0;
	long long count;

	for (uint32_t i = 0; i < flame->nr; i++) {
		/*
		 * Decaying weights are not integers, which readers expect:
		 * remainders are carried over.
		 */
		count = llround(sum + flame->boxes[i].self) - llround(sum);
		sum += flame->boxes[i].self;
		if (count <= 0)
			continue;
		put_path(flame, i, out);
		fprintf(out, " %lld\n", count);
	}
	return row_flush(out);
}

/* Write DIR/rbtop-TIME[-N] to @base, with space for a suffix.  0 or -errno. */
static int base_name(const char *dir, double time, unsigned int n, char *base,
		     size_t size)
{
	char stamp[32], same[16] = "";
	int len;

	if (!units_clock(stamp, sizeof(stamp), time, UNITS_CLOCK_STAMP))
		return -EOVERFLOW;
	if (n)
		snprintf(same, sizeof(same), "-%u", n);
	len = snprintf(base, size, "%s/rbtop-%s%s", dir, stamp, same);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

/* The two files being written. */
struct files {
	char folded_path[PATH_MAX], svg_path[PATH_MAX];
	struct new_file *folded, *svg;
};

static int open_files(struct files *f, struct err *err)
{
	f->folded = new_file_open(f->folded_path, 0, err);
	if (!f->folded)
		return err->code;
	f->svg = new_file_open(f->svg_path, 0, err);
	if (f->svg)
		return 0;
	new_file_cancel(f->folded);
	return err->code;
}

/* Commit both or neither. */
static int commit_files(struct files *f, struct err *err)
{
	int ret;

	new_file_share(f->folded);
	new_file_share(f->svg);
	ret = new_file_commit(f->folded, false, err);
	if (ret < 0) {
		new_file_cancel(f->svg);
		return ret;
	}
	ret = new_file_commit(f->svg, false, err);
	if (ret < 0)
		new_file_remove(f->folded_path);
	return ret;
}

/* The error of a stream, if known; else @ret. */
static int reason(const struct files *f, int ret)
{
	if (new_file_error(f->folded))
		return new_file_error(f->folded);
	return new_file_error(f->svg) ? new_file_error(f->svg) : ret;
}

static int write_files(struct files *f, const struct flame *flame,
		       const char *title, struct err *err)
{
	int ret = open_files(f, err);

	if (ret < 0)
		return ret;
	ret = flame_files_folded(flame, new_file_stream(f->folded));
	if (ret == 0)
		ret = flame_svg_write(flame, title, new_file_stream(f->svg));
	if (ret == 0)
		return commit_files(f, err);
	ret = reason(f, ret);
	new_file_cancel(f->folded);
	new_file_cancel(f->svg);
	return err_errno(err, ret, "writing %s", f->svg_path);
}

static bool is_there(const char *path)
{
	return sys_access(path, F_OK) == 0;
}

int flame_files_write(const struct flame *flame, const char *title,
		      const char *dir, double time, char *path, size_t size,
		      struct err *err)
{
	char base[PATH_MAX - sizeof(".folded")];
	struct err own = { 0 };
	struct files f;
	int ret = -EEXIST;

	if (!err)
		err = &own;
	for (unsigned int n = 0; n < MAX_SAME && ret == -EEXIST; n++) {
		ret = base_name(dir, time, n, base, sizeof(base));
		if (ret < 0)
			return err_errno(err, ret, "writing into %s", dir);
		snprintf(f.folded_path, PATH_MAX, "%s.folded", base);
		snprintf(f.svg_path, PATH_MAX, "%s.svg", base);
		ret = -EEXIST;
		/* Another process may use the name: then the commit fails. */
		if (!is_there(f.folded_path) && !is_there(f.svg_path))
			ret = write_files(&f, flame, title, err);
	}
	if (ret == -EEXIST)
		return err_set(err, ret, "writing %s: there are %d such files",
			       f.svg_path, MAX_SAME);
	if (ret == 0)
		snprintf(path, size, "%s", f.svg_path);
	return ret;
}
