#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The documentation agrees with the program.

. "$(dirname "$0")/lib.sh"

cd "$top" || exit 99
built=${builddir:-$top/build}
pages=("$built"/man/rbtop{.1,-output.5,-host.7,-screens.7} man/rbtoprc.5)

for page in "${pages[@]}"; do
	if [ ! -s "$page" ]; then
		not_ok "${page##*/} was made" "no $page"
		finish
	fi
done
"$RBTOP" -h >"$tmp/help" 2>&1

# The pages as displayed, without bold and underline: each, and all of them.
if command -v mandoc >/dev/null; then
	for page in "${pages[@]}"; do
		mandoc -T ascii -O width=200 "$page" | sed 's/.\x08//g' \
			>"$tmp/${page##*/}"
		cat "$tmp/${page##*/}" >>"$tmp/page"
	done
fi

# -x and --xyz of the lines where options begin.
help_options() {
	grep -oE '^  +(-[a-zA-Z],)? *--[a-z-]+' "$tmp/help" |
		grep -oE -- '--?[a-zA-Z-]+'
}

help_options >"$tmp/options"
sed -n 's/^ACTION(\([A-Z_]*\),.*/(\L\1)/p' ui/kit/keys.def >"$tmp/actions"

# columns LIST: the ids of the figures that are columns of LIST
columns() {
	awk -v RS='\nFIGURE\\(' -v list="in[IN_$1]" 'index($0, list) &&
		match($0, /\.id = "[^"]*"/) {
			print substr($0, RSTART + 7, RLENGTH - 8)
		}' src/ring/figures.def
}
# The headers of the AUX screen, where columns cannot be chosen.
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

sed -n 's/^\t\t\[RING_WARN_[A-Z_]*\] = "\([a-z]*\)",/\1/p' src/ring/ring_row.c \
	>"$tmp/warnings"
sed -n 's/^Formats: //p' < <("$RBTOP" -V) | tr -d ' ' | tr , '\n' \
	>"$tmp/formats"
sed -n 's/^RECORD([0-9]*, \([A-Z0-9_]*\),.*/\1/p' src/perf/abi/record.def \
	>"$tmp/records"
sed -n '/^SPEC of --sim/,/^$/s/^ *\([a-z_]*=\).*/\1/p' "$tmp/help" \
	>"$tmp/sim"

# Each line of file $1 is a word of its own in file $2.
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

# zsh's file joins both names of an option with braces.
sed 's/{\([^,}]*\),\([^}]*\)}/ \1 \2 /g; s/+/ /g' completions/_rbtop \
	>"$tmp/_rbtop"
# fish's has them without their dashes.
sed -n 's/ -s \(.\)/ -\1/; s/ -l / --/; /^complete/p' completions/rbtop.fish \
	>"$tmp/rbtop.fish"
# Events with a name.
sed -n 's/^\t{ "\([^"]*\)", .*PERF_TYPE_.*/\1/p' src/perf/event/event_names.c \
	>"$tmp/events"

# No line is wider than $1 columns on a terminal.
narrow() {
	[ -s "$2" ] && [ "$(wc -L <"$2")" -le "$1" ]
}

# documented NAME LIST PAGE
documented() {
	local name=$1 list=$2

	if [ -s "$tmp/page" ]; then
		check "$name in $3" all_in "$list" "$tmp/$3"
	else
		skip "$name in $3" 'no mandoc'
	fi
}

lint() {
	local found

	[ -s "$1" ] || return 1
	found=$(mandoc -T lint -W warning "$1" 2>&1 |
		grep -v 'outdated mandoc.db')
	[ -z "$found" ] || ! echo "$found"
}

# "Nm was built" is a program called "was built", and the .Nm of a page about
# rbtop, alone, is that page.
names() {
	! grep -nP '(^\.| )Nm (?!rbtop)[a-z]' "$1" && case $1 in
	*/rbtop.1 | */rbtoprc.5) ;;
	*) ! grep -nE '^\.Nm( Ns .*)?$' "$1" ;;
	esac
}

enough_options() {
	[ "$(wc -l <"$tmp/options")" -gt 25 ]
}

check 'the options of -h are found' enough_options
check '-h fits 80 columns' narrow 79 "$tmp/help"
has_examples() {
	[ "$(sed -n '/^Examples:$/,/^$/p' "$tmp/help" |
		grep -c '^  rbtop -')" -eq 5 ]
}
check '-h has examples' has_examples
documented 'each option' "$tmp/options" rbtop.1
documented 'each action' "$tmp/actions" rbtop-screens.7
documented 'each column' "$tmp/columns" rbtop-screens.7
documented 'each field of a ring' "$tmp/fields" rbtop-output.5
documented 'each column of the AUX screen' "$tmp/aux_columns" rbtop-screens.7
documented 'each column of the Host screen' "$tmp/host_columns" rbtop-screens.7
documented 'each warning of the Host screen' "$tmp/warnings" rbtop-host.7
documented 'each format' "$tmp/formats" rbtop.1
documented 'each record type' "$tmp/records" rbtop-screens.7
documented 'each key of --sim' "$tmp/sim" rbtop.1
check 'each option in the bash completion' \
	all_in "$tmp/options" completions/rbtop.bash
check 'each option in the zsh completion' \
	all_in "$tmp/options" "$tmp/_rbtop"
check 'each format in the bash completion' \
	all_in "$tmp/formats" completions/rbtop.bash
check 'each format in the zsh completion' \
	all_in "$tmp/formats" "$tmp/_rbtop"
check 'each option in the fish completion' \
	all_in "$tmp/options" "$tmp/rbtop.fish"
check 'each format in the fish completion' \
	all_in "$tmp/formats" "$tmp/rbtop.fish"
for file in rbtop.bash _rbtop rbtop.fish; do
	check "each named event in completions/$file" \
		all_in "$tmp/events" "completions/$file"
done
check 'the bash completion is bash' bash -n completions/rbtop.bash

for page in "${pages[@]}"; do
	check "${page##*/} has names where they are meant" names "$page"
done
if command -v mandoc >/dev/null; then
	for page in "${pages[@]}"; do
		check "${page##*/} has no warnings" lint "$page"
	done
else
	skip 'the manual has no warnings' 'no mandoc'
fi

# Without the commits since; NEWS begins with the newest version.
version=$("$RBTOP" -V | sed -n '1s/^rbtop \([0-9.]*\).*/\1/p')
news_version() {
	[ -n "$version" ] &&
		[ "$(sed -n 's/^Version //p' NEWS | head -n 1)" = "$version" ]
}

# Each file of expected screens is named in a test.
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

# A test that no local.mk names is never built.
no_test_left_out() {
	local file name out=0

	for file in tests/{unit,unit/*,screen,live}/test_*.c \
		tests/{live,pty}/*.sh; do
		name=${file##*/}
		if ! grep -qE "%D%/${name%.c}(\.c)?( |\$)" "${file%/*}/local.mk"
		then
			echo "not in ${file%/*}/local.mk: $name"
			out=1
		fi
	done
	return "$out"
}

# Each screen that a key opens has an item of SCREENS.
screens_described() {
	local name missing=0

	sed -nE '/, NONE,/d
		s/^SCREEN\([A-Z_]*, "([^"]*)", .*/\1/p' ui/kit/screens.def \
		>"$tmp/screens"
	[ -s "$tmp/screens" ] || return 1
	while read -r name; do
		sed -n '/^\.Sh SCREENS/,/^\.Sh KEYS/p' man/rbtop-screens.7.in |
			grep -qx "\.It Cm $name" && continue
		echo "not in SCREENS of man/rbtop-screens.7.in: $name"
		missing=1
	done <"$tmp/screens"
	return "$missing"
}

check 'each screen in rbtop-screens.7' screens_described
check 'each test in a local.mk' no_test_left_out
check 'no expected screen is left over' no_screen_left_over
check 'README names ./quickstart run' grep -q '\./quickstart run' README
check 'README names ./quickstart check' grep -q '\./quickstart check' README
check 'README fits 80 columns' narrow 80 README
check 'NEWS begins with this version' news_version

finish
