/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tasks as the records that create them: for files. */
#ifndef RBTOP_TASK_TASKS_RECORDS_H
#define RBTOP_TASK_TASKS_RECORDS_H

#include <stddef.h>

struct tasks;

/* Gets a record of @size bytes, which it may change; non-zero: stop. */
typedef int tasks_records_fn(void *ctx, void *record, size_t size);

/*
 * Call @fn with COMM, MMAP2 and FORK records of time 0 that describe @t to a
 * reader without tasks, until it returns non-zero, which is returned.
 */
int tasks_records_each(const struct tasks *t, tasks_records_fn *fn, void *ctx);

#endif
