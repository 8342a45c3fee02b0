/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's functions, its modules' and its BPF programs'. */
#ifndef RBTOP_SYMBOLS_KALLSYMS_H
#define RBTOP_SYMBOLS_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

struct kallsyms;
struct names;

/*
 * Read the text of /proc/kallsyms from @fd, from its beginning on.  The kernel
 * decides when that is opened whether addresses are shown (kptr_restrict,
 * CAP_SYSLOG), so @fd may be opened by more privilege than is left.  0 with
 * *@out; -EACCES where all addresses are hidden; -ENODATA where the text holds
 * no symbol; -errno.
 */
int kallsyms_read(int fd, struct kallsyms **out);
void kallsyms_free(struct kallsyms *k);

/* KSYMBOL: kernel text that came (a BPF program, ftrace's) or went. */
int kallsyms_add(struct kallsyms *k, uint64_t addr, uint64_t len,
		 const char *name);
void kallsyms_remove(struct kallsyms *k, uint64_t addr);

/*
 * The function at @addr, its start, and *@dso: "[kernel.kallsyms]", "[ext4]".
 * NULL where @addr is in no function.
 */
const char *kallsyms_find(struct kallsyms *k, uint64_t addr,
			  struct names *names, uint64_t *start,
			  const char **dso);
size_t kallsyms_len(const struct kallsyms *k);
size_t kallsyms_bytes(const struct kallsyms *k);

#endif
