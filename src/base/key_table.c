/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/key_table.h"

#include <errno.h>
#include <stdlib.h>

enum { FIRST_BUCKETS = 64 };

int key_table_init(struct key_table *t)
{
	*t = (struct key_table){ .nr_buckets = FIRST_BUCKETS };
	t->buckets = calloc(t->nr_buckets, sizeof(*t->buckets));
	return t->buckets ? 0 : -ENOMEM;
}

void key_table_free(struct key_table *t)
{
	free(t->buckets);
	*t = (struct key_table){ 0 };
}

/* Fibonacci hashing (Knuth, vol. 3, 6.4): pids come in sequence. */
static size_t bucket_of(uint64_t key, size_t nr_buckets)
{
	return (size_t)((key * 0x9e3779b97f4a7c15ull) >> 32) &
	       (nr_buckets - 1);
}

static void push(struct key_node **buckets, size_t nr, struct key_node *node)
{
	size_t i = bucket_of(node->key, nr);

	node->next = buckets[i];
	buckets[i] = node;
}

/* Where memory is short the chains grow longer instead. */
static void grow(struct key_table *t)
{
	size_t nr = t->nr_buckets * 2;
	struct key_node **buckets = calloc(nr, sizeof(*buckets));

	if (!buckets)
		return;
	for (size_t i = 0; i < t->nr_buckets; i++) {
		struct key_node *node = t->buckets[i], *next;

		for (; node; node = next) {
			next = node->next;
			push(buckets, nr, node);
		}
	}
	free(t->buckets);
	t->buckets = buckets;
	t->nr_buckets = nr;
}

void key_table_add(struct key_table *t, struct key_node *node)
{
	if (t->len >= t->nr_buckets)
		grow(t);
	push(t->buckets, t->nr_buckets, node);
	t->len++;
}

void key_table_remove(struct key_table *t, struct key_node *node)
{
	struct key_node **at =
		&t->buckets[bucket_of(node->key, t->nr_buckets)];

	while (*at && *at != node)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = node->next;
	t->len--;
}

static struct key_node *of_key(struct key_node *node, uint64_t key)
{
	while (node && node->key != key)
		node = node->next;
	return node;
}

struct key_node *key_table_find(const struct key_table *t, uint64_t key)
{
	return of_key(t->buckets[bucket_of(key, t->nr_buckets)], key);
}

struct key_node *key_table_again(const struct key_node *node)
{
	return of_key(node->next, node->key);
}

struct key_node *key_table_walk(const struct key_table *t,
				struct key_walk *walk)
{
	struct key_node *node = walk->next;

	while (!node && walk->bucket < t->nr_buckets)
		node = t->buckets[walk->bucket++];
	walk->next = node ? node->next : NULL;
	return node;
}
