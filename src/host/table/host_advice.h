/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recommended size of another process' ring, with the calculation, or why
 * no size is enough.  The ring is observed from outside, at intervals: burst
 * rate and peak are lower bounds, the gap between drains is an upper bound.
 *
 * If records were lost in a gap between two drains, that gap brought a full
 * ring and what was lost.  If the owner is woken by a watermark of half the
 * ring, half of a larger ring has to fill first as well, so the loss counts
 * twice.  The sum is multiplied by 2, or by 1.5 in the latter case, since the
 * gap may not be the worst; and by 1.25 with wakeup_events, since writing
 * records and waking the owner takes longer than losing them, so that less
 * comes into a larger ring.
 *
 * The loss in one of many short gaps is a mean, and they vary: the ring should
 * hold at least what comes in 10 ms, which an ordinary thread may wait for a
 * CPU.
 *
 * As long as the ring is not resized, each of these only grows, and so does the
 * recommended size: it must not fluctuate on screen.
 */
#ifndef RBTOP_HOST_TABLE_HOST_ADVICE_H
#define RBTOP_HOST_TABLE_HOST_ADVICE_H

#include "ring/advice.h"

/*
 * As advice_make(): out->pages is the recommended size in pages, and text names
 * it ("grow to -m 64 (256K): 2 x (64K ring + 40K lost in
 * one gap)").  pages is
 * 0 if records are lost because the owner is stopped or does not keep up, if
 * more than 256 MiB were needed, and if the ring has room but was not watched for
 * long enough, or its losses are not known.
 */
void host_advice_make(const struct advice_input *in, struct advice *out);

/*
 * Write the owner's setting of @pages to @buf, as "-m 512"; "" if it is unknown,
 * or the ring has that size.
 */
void host_advice_setting(const struct advice_input *in, uint64_t pages,
			 char *buf, size_t size);

/*
 * Change @out to recommend @pages, the larger size that ring @label needs
 * ("": it has none), which has the same setting.
 */
void host_advice_share(const struct advice_input *in, uint64_t pages,
		       const char *label, struct advice *out);

#endif
