/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

int streams_check(struct err *err)
{
	bool closed[3];
	int fd;

	/* in this order, since open(2) uses the lowest free number */
	for (fd = 0; fd <= 2; fd++) {
		closed[fd] = fcntl(fd, F_GETFD) < 0;
		if (closed[fd] && open("/dev/null", O_RDWR) < 0)
			return err_errno(err, -errno, "/dev/null");
	}
	if (closed[STDOUT_FILENO])
		return err_set(err, -EBADF, "standard output is closed");
	return 0;
}

int streams_flush(struct err *err)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		return err_errno(err, -errno, "standard output");
	return 0;
}

int streams_print(void (*print)(FILE *out), struct err *err)
{
	print(stdout);
	return streams_flush(err);
}
