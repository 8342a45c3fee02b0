/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays that grow.  An array is three fields of whoever owns it, all of them
 * 0 while it is empty: the items, how many there are, how many fit.
 *
 *	struct thing *things;		to be freed by free(3)
 *	size_t nr_things, room;
 *
 *	struct thing *thing = array_add(o->things, o->nr_things, o->room);
 *
 * They are given to the macros below as they are, not by address, and used
 * more than once: no side effects.  Room grows by half, so that adding takes
 * the same time in the mean however many there are.  What points at an item is
 * valid until the array grows.  One that malloc(3) made elsewhere grows too; a
 * room that is not known is 0.
 *
 * Where memory is short, or the size in bytes is more than there can be, all
 * stays as it was.  @most is for arrays that untrusted bytes make grow.
 */
#ifndef RBTOP_BASE_ARRAY_H
#define RBTOP_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Make room for @nr items.  0 or -ENOMEM. */
#define array_fit(items, room, nr) array_fit_most(items, room, nr, SIZE_MAX)
/* The same.  -EFBIG where @nr is beyond @most; there is never room for more. */
#define array_fit_most(items, room, nr, most)                              \
	array_fit_bytes(ARRAY_AT(items), &(room), nr, most, sizeof(*(items)))

/* Make room for @nr items; all that is behind those of before is 0. */
#define array_fit_zero(items, room, nr)                                    \
	array_fit_zero_bytes(ARRAY_AT(items), &(room), nr, sizeof(*(items)))

/* A new item at the end, zeroed.  NULL when out of memory. */
#define array_add(items, nr, room) array_add_most(items, nr, room, SIZE_MAX)
/* The same.  NULL also where there are @most. */
#define array_add_most(items, nr, room, most)                              \
	array_insert_most(items, nr, room, nr, most)

/* The same at index @at, up to @nr; those from there on move up. */
#define array_insert(items, nr, room, at)                                  \
	array_insert_most(items, nr, room, at, SIZE_MAX)
#define array_insert_most(items, nr, room, at, most)                       \
	((__typeof__(items))array_insert_bytes(ARRAY_AT(items), &(nr),     \
					       &(room), at, most,          \
					       sizeof(*(items))))

/* Take @count items out, from index @at on; those behind them move down. */
#define array_remove(items, nr, at, count)                                 \
	array_remove_bytes(items, &(nr), at, count, sizeof(*(items)))

/* Give back the room that @nr items do not need, where that is possible. */
#define array_trim(items, room, nr)                                        \
	array_trim_bytes(ARRAY_AT(items), &(room), nr, sizeof(*(items)))

/* Where the pointer is; an array that is no pointer does not compile. */
#define ARRAY_AT(items) (1 ? &(items) : (__typeof__(&*(items)) *)0)

/* The macros' functions; @size is an item's, @items the pointer's address. */
int array_grow(void *items, size_t *room, size_t nr, size_t most, size_t size);
int array_fit_zero_bytes(void *items, size_t *room, size_t nr, size_t size);
void *array_insert_bytes(void *items, size_t *nr, size_t *room, size_t at,
			 size_t most, size_t size);
/* @first is the first item. */
void array_remove_bytes(void *first, size_t *nr, size_t at, size_t count,
			size_t size);
void array_trim_bytes(void *items, size_t *room, size_t nr, size_t size);

static inline int array_fit_bytes(void *items, size_t *room, size_t nr,
				  size_t most, size_t size)
{
	return nr <= *room ? 0 : array_grow(items, room, nr, most, size);
}

#endif
