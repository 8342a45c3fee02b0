/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "export/flame/flame_files.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/file/new_file.h"
#include "base/sys.h"
#include "export/flame/flame_svg.h"
#include "export/row.h"

enum {
	NAME_BUF = 1024,
	/* Files of one second. */
	MAX_SAME = 100,
};

/* The frames that lead to @box, without the root, joined. */
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
		/* Fading weights are no whole numbers, and readers want such:
		 * what is cut off goes to the next. */
		count = llround(sum + flame->boxes[i].self) - llround(sum);
		sum += flame->boxes[i].self;
		if (count <= 0)
			continue;
		put_path(flame, i, out);
		fprintf(out, " %lld\n", count);
	}
	return row_flush(out);
}

/* DIR/rbtop-TIME[-N] in @base, which has room for a suffix.  0 or -errno. */
static int base_name(const char *dir, double time, unsigned int n, char *base,
		     size_t size)
{
	time_t seconds = (time_t)time;
	char stamp[32], same[16] = "";
	struct tm tm;
	int len;

	if (!localtime_r(&seconds, &tm) ||
	    strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm) == 0)
		return -EOVERFLOW;
	if (n)
		snprintf(same, sizeof(same), "-%u", n);
	len = snprintf(base, size, "%s/rbtop-%s%s", dir, stamp, same);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

/* The two files, not yet there. */
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

/* Both or neither. */
static int commit_files(struct files *f, struct err *err)
{
	int ret = new_file_commit(f->folded, false, err);

	if (ret < 0) {
		new_file_cancel(f->svg);
		return ret;
	}
	ret = new_file_commit(f->svg, false, err);
	if (ret < 0)
		new_file_remove(f->folded_path);
	return ret;
}

/* Why a stream failed, where that is known. */
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
	return err_set(err, ret, "writing %s: %s", f->svg_path,
		       strerror(-ret));
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
			return err_set(err, ret, "writing into %s: %s", dir,
				       strerror(-ret));
		snprintf(f.folded_path, PATH_MAX, "%s.folded", base);
		snprintf(f.svg_path, PATH_MAX, "%s.svg", base);
		ret = -EEXIST;
		/* Somebody else may be as fast: that fails in the commit. */
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
