/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening the file that a process has mapped.
 *
 * A path says little about what is mapped: files are deleted and replaced, and
 * a container's path is not ours.  So what is opened is the mapping itself
 * where the kernel lets us (/proc/PID/map_files), else the path in the process'
 * root, else in ours, and it must be the file that the mapping is of: by
 * build-id where one is known, else by inode, else by name.
 */
#ifndef RBTOP_SYMBOLS_MAPPED_FILE_H
#define RBTOP_SYMBOLS_MAPPED_FILE_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "symbols/process_maps.h"

/*
 * A fd of what @map of process @pid is of, with *@st; or -errno.  @root, of
 * @size bytes, is set to where the process' own files are: "@proc/PID/root",
 * or "" where that is not to be had.
 */
int mapped_file_open(const char *proc, pid_t pid,
		     const struct process_map *map, char *root, size_t size,
		     struct stat *st);

#endif
