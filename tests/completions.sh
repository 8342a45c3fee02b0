#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The completions of bash, zsh and fish, asked as these shells ask them.

. "$(dirname "$0")/lib.sh"

PATH=$(dirname "$RBTOP"):$PATH

cat >"$tmp/ask.bash" <<'END'
complete() { :; }
compopt() { :; }
. "$1"
COMP_LINE=$2 COMP_POINT=${#2}
_rbtop
# readline keeps what is before the last colon or equal sign
word=${2##* }
[[ $word == *[:=]* ]] && before=${word%"${word##*[:=]}"} || before=
printf -- "$before%s\n" "${COMPREPLY[@]}"
END

# What zsh would add, in a shell of its own on a terminal of its own.
cat >"$tmp/setup.zsh" <<'END'
PROMPT=
fpath=(${COMPLETIONS} $fpath)
autoload -Uz compinit
compinit -u -D
compdef _rbtop rbtop
zstyle ':completion:*' verbose no
compadd() {
	local -a hits
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	builtin compadd -A hits "$@"
	(( $#hits )) && print -rl -- $'\n'"HIT "$IPREFIX$^hits
	return $(( ! $#hits ))
}
comppostfuncs=(exit)
bindkey '^I' complete-word
END
cat >"$tmp/ask.zsh" <<'END'
zmodload zsh/zpty
export COMPLETIONS=$1:h
zpty asked zsh -f -i
zpty -w asked "source $2/setup.zsh"
zpty -w -n asked "$3"$'\t'
while zpty -r asked line; do
	line=${line//[$'\r\n']/}
	[[ $line == *HIT\ * ]] && print -r -- ${line##*HIT }
done
END

cat >"$tmp/ask.fish" <<'END'
source $argv[1]
complete -C $argv[2] | string replace -r '\t.*' ''
END

answers() {
	case $1 in
	bash) bash --norc "$tmp/ask.bash" "$top/completions/rbtop.bash" "$2" ;;
	zsh) zsh -f "$tmp/ask.zsh" "$top/completions/_rbtop" "$tmp" "$2" ;;
	fish)
		HOME=$tmp fish --no-config "$tmp/ask.fish" \
			"$top/completions/rbtop.fish" "$2"
		;;
	esac
}

# offers SHELL LINE WORD: WORD is one of the completions of LINE
offers() {
	answers "$1" "$2" >"$tmp/answers" 2>&1 </dev/null
	sed 's/^--[a-z-]*=//' "$tmp/answers" | grep -qxF -- "${3}" ||
		{ head -n 20 "$tmp/answers"; false; }
}

only() {
	offers "$@" && [ "$(grep -c . "$tmp/answers")" -eq 1 ]
}

pmu=
for format in /sys/bus/event_source/devices/*/format/*; do
	[ -e "$format" ] && pmu=$(basename "${format%/format/*}") && break
done
tracepoint=
for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
	[ -e "$dir/events/sched/sched_switch/id" ] && tracepoint=$dir
done
read -r cpus </sys/devices/system/cpu/online
cpu=${cpus##*[-,]}

for shell in bash zsh fish; do
	if ! command -v "$shell" >/dev/null; then
		skip "$shell" "no $shell"
		continue
	fi
	check "$shell: an option" only "$shell" 'rbtop --snapshot-ev' \
		--snapshot-every
	check "$shell: a named event" only "$shell" 'rbtop -e cpu-cl' cpu-clock
	check "$shell: the second event" only "$shell" \
		'rbtop -e cycles,cpu-cl' cycles,cpu-clock
	if [ -n "$tracepoint" ]; then
		check "$shell: a tracepoint" only "$shell" \
			'rbtop -e sched:sched_swit' sched:sched_switch
	else
		skip "$shell: a tracepoint" 'tracefs cannot be read'
	fi
	if [ -n "$pmu" ]; then
		name=$(basename "$format")
		check "$shell: a PMU" offers "$shell" "rbtop -e $pmu" "$pmu/"
		check "$shell: a term" offers "$shell" "rbtop -e $pmu/" \
			"$pmu/$name="
		check "$shell: a second term" offers "$shell" \
			"rbtop -e $pmu/$name=1,per" "$pmu/$name=1,period="
		check "$shell: an event after terms" only "$shell" \
			"rbtop -e $pmu/$name=1/,cpu-cl" "$pmu/$name=1/,cpu-clock"
	else
		skip "$shell: terms" 'no PMU has any'
	fi
	check "$shell: a CPU" offers "$shell" "rbtop -C $cpu" "$cpu"
	check "$shell: a list of CPUs" offers "$shell" 'rbtop -C 7,' "7,$cpu"
	check "$shell: a process" offers "$shell" "rbtop -p $$" $$
	check "$shell: a second process" offers "$shell" "rbtop -p 1,$$" "1,$$"
	check "$shell: a thread" offers "$shell" "rbtop -t $$" $$
	check "$shell: a user" offers "$shell" 'rbtop -u roo' root
	check "$shell: a format" only "$shell" 'rbtop --format openm' openmetrics
	check "$shell: after an equal sign" only "$shell" \
		'rbtop --format=openm' openmetrics
	check "$shell: a scheme" only "$shell" 'rbtop --scheme col' colour-blind
	check "$shell: a trigger" only "$shell" \
		'rbtop --snapshot-on trunc' truncated
	[ "$shell" != bash ] || check "$shell: not as a redirection" only \
		"$shell" 'rbtop --snapshot-on fil' 'fill\>80%'
	check "$shell: a command" offers "$shell" 'rbtop -e cs -- bas' bash
done

finish
