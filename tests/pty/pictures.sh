#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# README's and doc/screens.txt's pictures are what the program shows.  Made anew
# they differ in figures, bars and the functions that are hot: the rest has to be
# the same, and the colours of the last line, where there are no figures.

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/../lib.sh"

command -v tmux >/dev/null || skip_all 'tmux is not installed'
command -v python3 >/dev/null || skip_all 'python3 is not installed'

new=$tmp/new
mkdir "$new"
check 'the pictures can be made' "$top/doc/pictures.sh" "$new"

# The words of a screen, without rows of functions or boxes and the picture of
# a ring's positions; of Host without what depends on the machine, on perf's
# dummy events, and on bpftrace, which may not be there.
words() {
	sed -E '
		s/ rbtop [0-9].*//
		/ dummy-only hidden|^ *bpftrace /d
		s/( perf )\([0-9]+\) needs (at least )?-m .*/\1needs/
		s/ · (grow to|try) .*//
		s/ +pending [0-9.]+[kMG]?//
		s/[0-9]+(:[0-9]{2})+/0/
		/[0-9]% +[±0-9.% ]*[kuj] |^▏|^ *▏[^▏]*▏|^ *[▏›]|^ *▕[█▉▊▋▌▍▎▏│·▐ ]*▏[┃│]?$/d
		/▼ (head|tail)|head [0-9]+, tail|tail [0-9]+, head|wakes (at|every)|↺/d
		s/ · 1 in [0-9]+ decoded| · ± is 95 %| ±( |$)//g
		s/▕.*▏//
		s/[▁▂▃▄▅▆▇█]+//g
		s/[│┃!>]//g
		s/(^| )[0-9][0-9.,]*[KMG]?/\10/g
		s/0[KMGkmun]?[%s]?( |$|\/|:)/0\1/g
		s/ - / 0 /g; s/ -$/ 0/
		s/ parked$/ ok/
		s/─+/ /g
		s/ +/ /g; s/ $//' "$@" | grep -v '^$'
}

svg_text() {
	LC_ALL=C sed -n 's/^<text[^>]*>//; t text
		d
		:text
		s/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; s/\xc2\xa0/ /g; p' "$1"
}

same_words() {
	words "$1" >"$tmp/a" && words "$2" >"$tmp/b" &&
		[ "$(wc -l <"$tmp/a")" -gt 5 ] && diff "$tmp/a" "$tmp/b"
}

same_svg() {
	svg_text "$top/doc/$1.svg" >"$tmp/was"
	svg_text "$new/$1.svg" >"$tmp/is"
	same_words "$tmp/was" "$tmp/is"
}

# last_row FILE: its last row with the colours, wherever it is
last_row() {
	grep '^<text' "$1" | tail -n 1 | sed 's/ y="[0-9]*"//'
}

same_colours() {
	last_row "$top/doc/$1.svg" | grep -q 'fill="#' &&
		diff <(last_row "$top/doc/$1.svg") <(last_row "$new/$1.svg")
}

# text_picture FILE NAME: the picture with its command from FILE
text_picture() {
	awk -v name="doc/$2.svg" '
		/^rbtop - / { picture = "" }
		index($0, name) { printf "%s", picture; exit }
		{ picture = picture $0 "\n" }' "$1"
}

same_picture() {
	text_picture "$1" "$2" >"$tmp/was"
	grep -q '^    [#$] rbtop --' "$tmp/was" &&
		same_words "$tmp/was" "$new/$2.txt"
}

is_xml() {
	python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1"
}

# ESC [ 1 ; 38 ; 5 ; 203 m and markup, as rows of an SVG
converts() {
	printf '\033[1;38;5;203m<a&b>\033[0;48;2;1;2;3m \033[m\a\n' |
		"$top/doc/ansi_svg.py" 8 't"<' >"$tmp/x.svg" &&
		is_xml "$tmp/x.svg" &&
		grep -q 'fill="#ff5f5f" font-weight="bold">&lt;a&amp;b&gt;<' \
			"$tmp/x.svg" &&
		grep -q '<rect x="52.0" .* fill="#010203"' "$tmp/x.svg"
}

check 'colours and markup become SVG' converts
for name in rings ring hot flame host; do
	if [ ! -e "$new/$name.svg" ]; then
		skip "the pictures of $name" \
			"$(sed -n 's/^without .*: //p' "$tmp/check")"
		continue
	fi
	check "doc/$name.svg is well-formed" is_xml "$top/doc/$name.svg"
	check "doc/$name.svg is today's screen" same_svg "$name"
	check "doc/$name.svg has today's colours" same_colours "$name"
	check "doc/screens.txt has today's $name" \
		same_picture "$top/doc/screens.txt" "$name"
	[ $name != host ] ||
		check "README has today's $name" same_picture "$top/README" $name
done

finish
