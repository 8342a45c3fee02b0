/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of the kernel, its modules and BPF programs. */
#ifndef RBTOP_SYMBOLS_KALLSYMS_H
#define RBTOP_SYMBOLS_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

struct kallsyms;
struct names;

/*
 * Read the text of /proc/kallsyms from @fd, from its start.  Whether addresses
 * are visible is decided by the kernel when the file is opened (kptr_restrict,
 * CAP_SYSLOG), so @fd can be opened before privileges are dropped.  0 with
 * *@out; -EACCES if all addresses are hidden; -ENODATA if there are no symbols;
 * -errno.
 */
int kallsyms_read(int fd, struct kallsyms **out);
void kallsyms_free(struct kallsyms *k);

/* KSYMBOL: kernel text was added (a BPF program, ftrace) or removed. */
int kallsyms_add(struct kallsyms *k, uint64_t addr, uint64_t len,
		 const char *name);
void kallsyms_remove(struct kallsyms *k, uint64_t addr);

/*
 * The function at @addr, with its start and *@dso: "[kernel.kallsyms]",
 * "[ext4]".  NULL if @addr is in no function.
 */
const char *kallsyms_find(struct kallsyms *k, uint64_t addr,
			  struct names *names, uint64_t *start,
			  const char **dso);
size_t kallsyms_len(const struct kallsyms *k);
size_t kallsyms_bytes(const struct kallsyms *k);

#endif
