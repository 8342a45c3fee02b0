# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# rbtop in the guest, sourced by its scenarios after lib.sh:
#
#	rb_start OPTION...	start it in batch mode, its ticks (JSON, two per
#				second) in $tmp/ticks, its snapshots in $snaps;
#				waits for the first tick
#	rb_snapshots COUNT	take that many by SIGUSR2, one after another
#	rb_stop [STATUS]	SIGTERM; true if it ends with STATUS, 143 if
#				none is given
#	rb_still COMMAND...	stop it while COMMAND runs, as a slow reader
#	rb_ticks OPTION...	run it to its end
#	last FILTER		true if jq's FILTER is for the last tick
#	soon FILTER		the same, for as long as wait_for waits
#	last_value FILTER	print its value
#	snap_count		print the number of files
#	snaps_intact NAME [OPTION...], snaps_newest NAME
#				check_trace on all of them; the latter also
#				that each ends with the last packet
#	spans_full SIZE UNIT	every span in $tmp/trace is a whole ring
#
#	term_start OPTION...	rbtop on a terminal of 120x40
#	term_keys KEY..., term_shows PATTERN, term_end

snaps=$tmp/snapshots

snap_count() {
	ls $snaps 2>/dev/null | grep -c '^rbtop-.*\.data$'
}

snap_files() {
	ls $snaps/rbtop-*.data
}

rb_ticked() {
	[ "$(wc -l <$tmp/ticks)" -ge "$1" ]
}

fresh_snaps() {
	rm -rf $snaps
	mkdir $snaps
}

rb_start() {
	fresh_snaps
	: >$tmp/ticks
	rbtop -b --format json -d 0.5 --output $snaps "$@" >$tmp/ticks \
		2>$tmp/rb.err &
	rb=$!
	wait_for rb_ticked 1 || {
		cat $tmp/rb.err
		return 1
	}
}

has_snaps() {
	[ "$(snap_count)" -ge "$1" ]
}

rb_snapshots() {
	local want n=$1

	want=$(snap_count)
	while [ "$n" -gt 0 ]; do
		want=$((want + 1))
		n=$((n - 1))
		kill -USR2 $rb || return
		wait_for has_snaps $want || {
			echo "$(snap_count) files, not $want"
			cat $tmp/rb.err
			return 1
		}
	done
}

rb_stop() {
	local status

	kill -TERM $rb
	wait $rb
	status=$?
	cat $tmp/rb.err
	[ $status -eq "${1:-143}" ]
}

rb_still() {
	kill -STOP $rb
	"$@"
	kill -CONT $rb
}

rb_ticks() {
	fresh_snaps
	rbtop -b --format json --output $snaps "$@" >$tmp/ticks 2>$tmp/rb.err
}

last() {
	last_line $tmp/ticks | jq -en "input | $1" >$tmp/jq 2>&1 && return
	echo "not so: $1"
	last_line $tmp/ticks | jq -c '[.rings[] | {cpu, tid, lost, aux}],
		.snapshots' | cut -c 1-2000
	cat $tmp/rb.err
	return 1
}

soon() {
	wait_for last "$1" || last "$1"
}

last_value() {
	last_line $tmp/ticks | jq -r "$1"
}

# snaps_intact NAME [OPTION...]: check all trace in all snapshots
snaps_intact() {
	local name=$1

	shift
	# shellcheck disable=SC2046 # names without blanks
	intact "$name" "$@" $(snap_files)
}

# snaps_newest NAME: the same, and each ends with the last packet before a stop
snaps_newest() {
	cp /proc/mimic $tmp/mimic
	snaps_intact "$1" --stops $tmp/mimic
}

# Each ring has all that fits, except for the packet cut by the head.
spans_full() {
	local least size=$1 unit=$2

	least=$((size / unit - 2))
	grep '^span ' $tmp/trace | tr '=' ' ' | awk -v least=$least '
		{ for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
		  if (v["packets"] < least) { print; bad = 1 } }
		END { exit bad || NR == 0 }'
}

term() {
	tmux -L rig -f $tmp/tmux.conf "$@" 2>>$tmp/tmux.err
}

# The server has ended when its socket does not answer.
term_gone() {
	! tmux -L rig has-session
}

term_end() {
	term kill-server
	wait_for term_gone
}

term_start() {
	fresh_snaps
	cat >$tmp/tmux.conf <<-'END'
		set -g remain-on-exit on
		set -g default-terminal screen
	END
	term_end
	term new-session -d -x 120 -y 40 rbtop --output $snaps "$@" || return
	term_shows 'CPU 0\|pid'
}

term_keys() {
	term send-keys "$@"
}

term_screen() {
	term capture-pane -p
}

screen_has() {
	term_screen | grep -q -e "$1"
}

term_shows() {
	wait_for screen_has "$1" || {
		echo "not on the screen: $1"
		term_screen
		return 1
	}
}
