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

	/* In this order, since open(2) takes the lowest that is free. */
	for (fd = 0; fd <= 2; fd++) {
		closed[fd] = fcntl(fd, F_GETFD) < 0;
		if (closed[fd] && open("/dev/null", O_RDWR) < 0)
			return err_set(err, -errno, "/dev/null: %s",
				       strerror(errno));
	}
	if (closed[STDOUT_FILENO])
		return err_set(err, -EBADF, "standard output is closed");
	return 0;
}

int streams_print(void (*print)(FILE *out), struct err *err)
{
	print(stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		return err_set(err, -errno, "standard output: %s",
			       strerror(errno));
	return 0;
}
