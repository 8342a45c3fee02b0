/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/textfile.h"

#include <errno.h>
#include <stdio.h>

#include "base/err.h"
#include "base/file/new_file.h"

int textfile_check(const char *path, struct err *err)
{
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW, err);

	if (!file && err->code == -EEXIST)
		return err_set(err, -EEXIST, "--textfile %s: not a regular "
			       "file; leave out --textfile to write to "
			       "standard output", path);
	if (!file)
		return err_prefix(err, "--textfile");
	new_file_cancel(file);
	return 0;
}

int textfile_write(const char *path, const char *text, size_t len,
		   struct err *err)
{
	struct new_file *file = new_file_open(path, NEW_FILE_FOLLOW, err);

	if (!file)
		return err_prefix(err, "--textfile");
	/* an error is remembered by the stream, and reported below */
	fwrite(text, 1, len, new_file_stream(file));
	if (new_file_publish(file, err) < 0)
		return err_prefix(err, "--textfile");
	return 0;
}
