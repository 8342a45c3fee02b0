/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RBTOP_TESTS_FUZZ_H
#define RBTOP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* A file with @size bytes at @data.  Returns 0; ends the process on a bug. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
