/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing arrays.  An array is three fields of its owner, all 0 while it is
 * empty: the items, their number, and how many fit.
 *
 *	struct thing *things;		to be freed by free(3)
 *	size_t nr_things, room;
 *
 *	struct thing *thing = array_add(o->things, o->nr_things, o->room);
 *
 * The macros take the fields themselves, not their addresses, and evaluate them
 * more than once: no side effects.  Room grows by half, so that adding takes
 * constant time on average.  Pointers to items are valid until the array grows.
 * An array from malloc(3) can grow too; if its room is not known, pass 0.
 *
 * On failure (out of memory, or a size in bytes above PTRDIFF_MAX), the array
 * is unchanged.  @max limits arrays that grow with untrusted data.
 */
#ifndef RBTOP_BASE_ARRAY_H
#define RBTOP_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Make room for @nr items.  0 or -ENOMEM. */
#define array_fit(items, room, nr) array_fit_max(items, room, nr, SIZE_MAX)
/* The same; -EFBIG if @nr is above @max.  Room never exceeds @max. */
#define array_fit_max(items, room, nr, max)                                \
	array_fit_bytes(ARRAY_AT(items), &(room), nr, max, sizeof(*(items)))

/* Make room for @nr items; new room is zeroed.  0 or -ENOMEM. */
#define array_fit_zero(items, room, nr)                                    \
	array_fit_zero_bytes(ARRAY_AT(items), &(room), nr, sizeof(*(items)))

/* A new item at the end, zeroed.  NULL when out of memory. */
#define array_add(items, nr, room) array_add_max(items, nr, room, SIZE_MAX)
/* The same; NULL also if there are @max already. */
#define array_add_max(items, nr, room, max)                                \
	array_insert_max(items, nr, room, nr, max)

/* The same at index @at (at most @nr); items from there on move up. */
#define array_insert(items, nr, room, at)                                  \
	array_insert_max(items, nr, room, at, SIZE_MAX)
#define array_insert_max(items, nr, room, at, max)                         \
	((__typeof__(items))array_insert_bytes(ARRAY_AT(items), &(nr),     \
					       &(room), at, max,           \
					       sizeof(*(items))))

/* Remove @count items from index @at on; later ones move down. */
#define array_remove(items, nr, at, count)                                 \
	array_remove_bytes(items, &(nr), at, count, sizeof(*(items)))

/* Reduce the room to @nr items, if possible; not to 0. */
#define array_trim(items, room, nr)                                        \
	array_trim_bytes(ARRAY_AT(items), &(room), nr, sizeof(*(items)))

/*
 * Sort @nr numbers and remove duplicates.  Returns how many are left.
 */
size_t array_unique(int *numbers, size_t nr);

/* The address of the pointer; does not compile for a true array. */
#define ARRAY_AT(items) (1 ? &(items) : (__typeof__(&*(items)) *)0)

/* The macros' functions; @size is an item's, @items the pointer's address. */
int array_grow(void *items, size_t *room, size_t nr, size_t max, size_t size);
int array_fit_zero_bytes(void *items, size_t *room, size_t nr, size_t size);
void *array_insert_bytes(void *items, size_t *nr, size_t *room, size_t at,
			 size_t max, size_t size);
/* @first is the first item. */
void array_remove_bytes(void *first, size_t *nr, size_t at, size_t count,
			size_t size);
void array_trim_bytes(void *items, size_t *room, size_t nr, size_t size);

static inline int array_fit_bytes(void *items, size_t *room, size_t nr,
				  size_t max, size_t size)
{
	return nr <= *room ? 0 : array_grow(items, room, nr, max, size);
}

#endif
