#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sizes.sh [write]: no folder of src/ and ui/ has more lines than tests/sizes.txt
# says.  A change that needs more raises it on purpose, with "write", which
# rounds up to the next hundred.

. "$(dirname "$0")/lib.sh"

cd "$top" || exit 99

# "LINES FOLDER", without folders below it.
sizes() {
	local folder

	find src ui -name '*.[ch]' -o -name '*.def' | sed 's,/[^/]*$,,' |
		sort -u | while read -r folder; do
		printf '%d %s\n' "$(cat "$folder"/*.[ch] "$folder"/*.def \
			2>/dev/null | wc -l)" "$folder"
	done
}

within() {
	sizes | awk 'NR == FNR { most[$2] = $1; next }
		!($2 in most) { print $2 " is not in tests/sizes.txt"; bad = 1; next }
		$1 > most[$2] {
			print $2 " has " $1 " lines, at most " most[$2]; bad = 1
		}
		{ delete most[$2] }
		END {
			for (gone in most) {
				print gone " has no files"; bad = 1
			}
			exit bad
		}' tests/sizes.txt -
}

if [ "${1:-}" = write ]; then
	sizes | awk '{ print int(($1 + 99) / 100) * 100, $2 }' >tests/sizes.txt
fi
check "folders are no larger than tests/sizes.txt says" within
finish
