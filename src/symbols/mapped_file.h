/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening the file that a process has mapped.
 *
 * Its path is not reliable: files are deleted and replaced, and a container has
 * paths of its own.  So the mapping itself is opened if the kernel permits it
 * (/proc/PID/map_files), else the path in the root of the process, out of which
 * no link leads, else in ours; and it must be the mapped file, by build-id if
 * that is known, else by inode and device, else by name.
 */
#ifndef RBTOP_SYMBOLS_MAPPED_FILE_H
#define RBTOP_SYMBOLS_MAPPED_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "task/process_maps.h"

/*
 * A descriptor of the file behind @map of process @pid, with *@st; or -errno.
 * @root, of @size bytes, is set to the root directory of the process,
 * "@proc/PID/root", or to "" if that is not accessible.
 */
int mapped_file_open(const char *proc, pid_t pid,
		     const struct process_map *map, char *root, size_t size,
		     struct stat *st);

#endif
