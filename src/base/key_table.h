/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Things found by a number: tasks by tid, processes by pid, files by a hash of
 * what identifies them.  The nodes are part of the things themselves, so
 * adding needs no memory of its own but for the buckets.
 */
#ifndef RBTOP_BASE_KEY_TABLE_H
#define RBTOP_BASE_KEY_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct key_node {
	uint64_t key;
	struct key_node *next;
};

struct key_table {
	struct key_node **buckets;	/* a power of two of them */
	size_t nr_buckets, len;
};

/* 0 or -ENOMEM.  The nodes are the caller's to free, before the table. */
int key_table_init(struct key_table *t);
void key_table_free(struct key_table *t);

/* Add a node, its key set, whatever nodes of that key there are. */
void key_table_add(struct key_table *t, struct key_node *node);
void key_table_remove(struct key_table *t, struct key_node *node);

/* The first node of @key, and the next one of the same key; NULL for none. */
struct key_node *key_table_find(const struct key_table *t, uint64_t key);
struct key_node *key_table_again(const struct key_node *node);

/*
 * All nodes, in no order; *@walk begins as all 0.  A node may be removed (and
 * freed) before the next is asked for; none may be added.  NULL at the end.
 */
struct key_walk {
	size_t bucket;
	struct key_node *next;
};
struct key_node *key_table_walk(const struct key_table *t,
				struct key_walk *walk);

#endif
