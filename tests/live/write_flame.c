/* SPDX-License-Identifier: GPL-2.0-or-later */
/* write_flame FILE: the SVG of a flame graph with hostile names. */
#include "tests/unit/flame_rig.h"

int main(int argc, char **argv)
{
	FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
	int ret;

	if (!out)
		return 1;
	ret = write_svg(&flame, out);
	return fclose(out) == 0 && ret == 0 ? 0 : 1;
}
