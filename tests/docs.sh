#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is written down agrees with the program.

. "$(dirname "$0")/lib.sh"

cd "$top" || exit 99
page=${builddir:-$top/build}/man/rbtop.1

if [ ! -s "$page" ]; then
	not_ok 'rbtop.1 was made' "no $page"
	finish
fi
"$RBTOP" -h >"$tmp/help" 2>&1

# The page as a person reads it, with nothing bold or underlined.
if command -v mandoc >/dev/null; then
	mandoc -T ascii -O width=200 "$page" | sed 's/.\x08//g' >"$tmp/page"
fi

# -x and --xyz of the lines that introduce an option.
help_options() {
	grep -oE '^  +(-[a-zA-Z],)? *--[a-z-]+' "$tmp/help" |
		grep -oE -- '--?[a-zA-Z-]+'
}

help_options >"$tmp/options"
sed -n 's/^ACTION(\([A-Z_]*\),.*/(\L\1)/p' ui/kit/keys.def >"$tmp/actions"

# columns LIST: the ids of the figures that are columns of it
columns() {
	awk -v RS='\nFIGURE\\(' -v list="in[IN_$1]" 'index($0, list) &&
		match($0, /\.id = "[^"]*"/) {
			print substr($0, RSTART + 7, RLENGTH - 8)
		}' src/ring/figures.def
}
# What its header is called on the AUX screen, where columns are not chosen.
awk -v RS='\nFIGURE\\(' 'match($0, /\.in\[IN_AUX\] = AT\([^)]*\)/) {
		cell = substr($0, RSTART, RLENGTH)
		if (!match(cell, /\.header = "[^"]*"/)) {
			cell = $0
			match(cell, /\.header = "[^"]*"/)
		}
		print substr(cell, RSTART + 11, RLENGTH - 12)
	}' src/ring/figures.def >"$tmp/aux_columns"
sed -n 's/.*\.key = "\([a-z_0-9]*\)".*/\1/p' src/ring/figures.def \
	>"$tmp/fields"
columns RINGS >"$tmp/columns"
columns HOST >"$tmp/host_columns"

sed -n 's/^\t\t\[RING_WARN_[A-Z_]*\] = "\([a-z]*\)",/\1/p' src/ring/ring_warning.c \
	>"$tmp/warnings"
sed -n 's/^Formats: //p' < <("$RBTOP" -V) | tr -d ' ' | tr , '\n' \
	>"$tmp/formats"
sed -n 's/^RECORD([0-9]*, \([A-Z0-9_]*\),.*/\1/p' src/perf/abi/record.def \
	>"$tmp/records"
sed -n '/^SPEC of --sim/,/^$/s/^ *\([a-z_]*=\).*/\1/p' "$tmp/help" \
	>"$tmp/sim"

# Each line of file $1 stands in file $2 as a word of its own.
all_in() {
	local word missing=0

	[ -s "$1" ] && [ -s "$2" ] || return 1
	while read -r word; do
		if ! grep -qP -- "(?<![\\w-])\\Q$word\\E(?![\\w-])" "$2"; then
			echo "not in ${2##*/}: $word"
			missing=1
		fi
	done <"$1"
	return "$missing"
}

# zsh's file joins the two names of an option with braces.
sed 's/{\([^,}]*\),\([^}]*\)}/ \1 \2 /g; s/+/ /g' completions/_rbtop \
	>"$tmp/_rbtop"

# Of $1 columns at most, as a terminal counts them.
narrow() {
	[ -s "$2" ] && [ "$(wc -L <"$2")" -le "$1" ]
}

documented() {
	local name=$1 list=$2

	if [ -s "$tmp/page" ]; then
		check "$name in the man page" all_in "$list" "$tmp/page"
	else
		skip "$name in the man page" 'no mandoc'
	fi
}

lint() {
	local found

	[ -s "$1" ] || return 1
	found=$(mandoc -T lint -W warning "$1" 2>&1 |
		grep -v 'outdated mandoc.db')
	[ -z "$found" ] || ! echo "$found"
}

enough_options() {
	[ "$(wc -l <"$tmp/options")" -gt 25 ]
}

check 'the options of -h are found' enough_options
check '-h fits 80 columns' narrow 79 "$tmp/help"
documented 'each option' "$tmp/options"
documented 'each action' "$tmp/actions"
documented 'each column' "$tmp/columns"
documented 'each field of a ring' "$tmp/fields"
documented 'each column of the AUX screen' "$tmp/aux_columns"
documented 'each column of the Host screen' "$tmp/host_columns"
documented 'each warning of the Host screen' "$tmp/warnings"
documented 'each format' "$tmp/formats"
documented 'each record type' "$tmp/records"
documented 'each key of --sim' "$tmp/sim"
check 'each option in the bash completion' \
	all_in "$tmp/options" completions/rbtop.bash
check 'each option in the zsh completion' \
	all_in "$tmp/options" "$tmp/_rbtop"
check 'each format in the bash completion' \
	all_in "$tmp/formats" completions/rbtop.bash
check 'each format in the zsh completion' \
	all_in "$tmp/formats" "$tmp/_rbtop"
check 'the bash completion is bash' bash -n completions/rbtop.bash

if command -v mandoc >/dev/null; then
	check 'rbtop.1 has no warnings' lint "$page"
	check 'rbtoprc.5 has no warnings' lint man/rbtoprc.5
else
	skip 'rbtop.1 has no warnings' 'no mandoc'
	skip 'rbtoprc.5 has no warnings' 'no mandoc'
fi

# The first word of -V's second field; NEWS begins with the newest version.
version=$("$RBTOP" -V | sed -n '1s/^rbtop //p')
news_version() {
	[ -n "$version" ] &&
		[ "$(sed -n 's/^Version //p' NEWS | head -n 1)" = "$version" ]
}

# Each file of expected screens is one that a test names.
no_screen_left_over() {
	local file name left=0

	for file in tests/screen/expected/*/*; do
		name=${file#tests/screen/expected/}
		if ! grep -qF "\"${name%.txt}\"" tests/screen/test_*.c; then
			echo "$file"
			left=1
		fi
	done
	return "$left"
}

check 'no expected screen is left over' no_screen_left_over
check 'README names ./quickstart run' grep -q '\./quickstart run' README
check 'README names ./quickstart check' grep -q '\./quickstart check' README
check 'README fits 80 columns' narrow 80 README
check 'NEWS begins with this version' news_version

finish
