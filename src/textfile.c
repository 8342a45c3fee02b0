/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/new_file.h"

/* Under a temporary name yet.  NULL with @err. */
static struct new_file *open_beside(const char *path, struct err *err)
{
	char *real = realpath(path, NULL);
	struct new_file *file = new_file_open(real ? real : path, err);

	free(real);
	return file;
}

int textfile_check(const char *path, struct err *err)
{
	struct new_file *file;
	struct stat st;

	/* Else root would put a file in the place of /dev/null. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, -EEXIST, "--textfile %s: not a regular "
			       "file; without --textfile ticks go to standard "
			       "output", path);
	file = open_beside(path, err);
	if (!file)
		return err_prefix(err, "--textfile");
	new_file_cancel(file);
	return 0;
}

int textfile_write(const char *path, const char *text, size_t len,
		   struct err *err)
{
	struct new_file *file = open_beside(path, err);

	if (!file)
		return err_prefix(err, "--textfile");
	/* what fails here the stream remembers */
	fwrite(text, 1, len, new_file_stream(file));
	if (new_file_publish(file, err) < 0)
		return err_prefix(err, "--textfile");
	return 0;
}
