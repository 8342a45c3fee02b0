#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# quickstart, with package managers and a source tree that only pretend: what
# it installs, what it says, and where.

. "$(dirname "$0")/lib.sh"

tree=$tmp/tree bin=$tmp/bin
mkdir -p "$tree/man" "$bin"
cp "$top/quickstart" "$tree"

# Nothing else is found: no package manager of this machine.
for tool in sh bash cat chmod dirname env find grep install ls make mkdir \
	mktemp nproc rm rmdir sed seq sort stty touch tr; do
	found=$(command -v "$tool") && ln -s "$found" "$bin/$tool"
done

# stub NAME: a program of that name, whose text is standard input
stub() {
	{
		echo '#!/bin/sh'
		cat
	} >"$bin/$1"
	chmod +x "$bin/$1"
}

# What all package managers do: say what they are called with; fail for the
# packages of $BROKEN; count up to the number of packages.
cat >"$bin/manage" <<'END'
echo "$name $*" >>"$LOG"
for package; do
	case " $BROKEN " in *" $package "*) echo "no $package" >&2; exit 1 ;; esac
done
i=0
for package; do
	i=$((i + 1))
	case $name in
	apt-get) echo "Setting up $package (1.0)" ;;
	dnf) echo "  Installing       : $package    $i/$# " ;;
	*) echo "($i/$#) installing $package" ;;
	esac
done
END
for name in apt-get dnf zypper pacman apk; do
	stub "real-$name" <<END
name=$name
case \$1 in
update) exit ;;
-T)
	shift
	for package; do
		grep -qxF "\$package" "\$INSTALLED" || echo "\$package"
	done
	exit 127
	;;
-Ss) exit "\$NO_LISTS" ;;
info)
	grep -qxF "\$3" "\$INSTALLED"
	exit
	;;
esac
[ $name != apt-get ] || echo "0 upgraded, \$# newly installed, 0 to remove"
. "$bin/manage"
END
done
stub rpm <<'END'
grep -qxF "$3" "$INSTALLED"
END
stub dpkg-query <<'END'
sed 's/^/installed /' "$INSTALLED"
END
stub id <<'END'
echo "$ID"
END

# A source tree of twenty files.
stub autoreconf <<'END'
cat >configure <<'CONFIGURE'
#!/bin/sh
cat >Makefile <<'MAKEFILE'
prefix = /usr/local
CMOCKA_LIBS = -lcmocka
objects := $(shell seq -f file%g.o 20)
all: rbtop
$(objects):
	@test -z "$$BROKEN_FILE" || { echo "no rule for $@"; false; }
	@echo "  CC      " $@;touch $@
rbtop: $(objects)
	@echo "  CCLD    " $@;touch $@; mkdir -p man; touch man/rbtop.1
rbtop-static: rbtop
	@test -z "$$NO_ARCHIVE" || { echo "cannot find -lbpf"; false; }
	@echo "  CCLD    " $@;touch $@
check: all
	@test "$(TESTS)" = "" -a "$(origin TESTS)" != undefined || { \
	echo "# PASS:  5"; echo "# FAIL:  1"; echo "# SKIP:  2"; \
	echo "# XPASS: 0"; echo "# ERROR: 0"; } >test-suite.log
install: all
	install -d $(DESTDIR)$(prefix)/bin
	install rbtop $(DESTDIR)$(prefix)/bin
uninstall:
	rm -f $(DESTDIR)$(prefix)/bin/rbtop
MAKEFILE
CONFIGURE
chmod +x configure
END
touch "$tree/man/rbtoprc.5"

# start MANAGER COMMAND...: quickstart COMMAND where only MANAGER exists.  Leaves
# $tmp/out, $tmp/err, and what was asked of the manager in $tmp/log.
start() {
	local name

	for name in apt-get dnf zypper pacman apk; do
		rm -f "$bin/$name"
	done
	[ "$1" = none ] || ln -s "real-$1" "$bin/$1"
	shift
	: >"$tmp/log"
	env -i PATH="$bin" HOME="$tmp" TMPDIR="$tmp" LOG="$tmp/log" \
		INSTALLED="$tmp/installed" ID="${ID:-0}" \
		NO_LISTS="${NO_LISTS:-0}" BROKEN="${BROKEN:-}" \
		BROKEN_FILE="${BROKEN_FILE:-}" \
		NO_ARCHIVE="${NO_ARCHIVE:-}" PREFIX="${PREFIX:-}" \
		DESTDIR="${DESTDIR:-}" ${LOCALE:+LC_ALL="$LOCALE"} \
		"${shell:-$bin/sh}" "$tree/quickstart" "$@" \
		>"$tmp/out" 2>"$tmp/err" </dev/null
}

fresh() {
	rm -rf "$tree/build" "$tree/configure"
	: >"$tmp/installed"
}

# said WORDS: a line of it is on standard error
said() {
	grep -qF -- "$1" "$tmp/err" || { cat "$tmp/err"; false; }
}

# asked TIMES WORD...: the manager was called so often, the last time with each
# WORD
asked() {
	local times=$1 word

	shift
	[ "$(wc -l <"$tmp/log")" -eq "$times" ] || { cat "$tmp/log"; return 1; }
	for word; do
		tail -n 1 "$tmp/log" | tr ' ' '\n' | grep -qxF -- "$word" ||
			{ echo "not asked for: $word"; cat "$tmp/log"; return 1; }
	done
}

not_asked() {
	! tr ' ' '\n' <"$tmp/log" | grep -qxF -- "$1"
}

# Everything that was asked for is installed now.
take_over() {
	sed 's/.* install[a-z-]* //; s/.* --noconfirm //; s/.* -U //' \
		"$tmp/log" | tr ' ' '\n' >>"$tmp/installed"
}

installs() {
	local manager=$1

	shift
	fresh
	echo make >"$tmp/installed"
	start "$manager" build && asked 1 "$@" && not_asked make &&
		said "installing with $manager: autoconf" &&
		said 'installing: ' && said ' packages'
}

only_once() {
	take_over
	start "$1" build && asked 0
}

tests_too() {
	local manager=$1

	shift
	start "$manager" check
	asked 1 jq tmux fish zsh bpftrace chromium "$@"
}

# Where the host view's packages cannot be had, it builds without.
without_bpf() {
	fresh
	BROKEN=$2 start "$1" build && said 'no '"$2" &&
		sed -n 2p "$tmp/log" | grep -qF autoconf &&
		! sed -n 2p "$tmp/log" | grep -qF -- "$2" &&
		said "without $2 clang" &&
		said 'the host view shows only owners and sizes'
}

# A distribution may not have a program that only tests use.
without_browser() {
	fresh
	BROKEN=chromium start "$1" check
	said 'without chromium some tests are skipped' &&
		sed -n 2p "$tmp/log" | grep -qF autoconf &&
		grep -q ' fish$' "$tmp/log" &&
		tail -n 1 "$tmp/out" | grep -q '^5 passed, '
}

managed() {
	local manager=$1 bpf=$2 tests=$3

	shift 3
	check "$manager installs what is missing" installs "$manager" "$@" "$bpf" clang
	check "$manager is not called again" only_once "$manager"
	# shellcheck disable=SC2086 # a list of words
	check "$manager installs what tests need" tests_too "$manager" $tests
	check "$manager: without BPF's packages" without_bpf "$manager" "$bpf"
	check "$manager: without a browser" without_browser "$manager"
}

managed apt-get libbpf-dev 'libcmocka-dev linux-perf mandoc g++ git' \
	-y --no-remove gcc libc6-dev autoconf automake pkg-config \
	libncurses-dev libtraceevent-dev libjansson-dev libinih-dev \
	libcap-ng-dev libelf-dev liblzma-dev libiberty-dev zlib1g-dev
rpms='autoconf automake gcc pkgconfig pkgconfig(ncursesw)
	pkgconfig(libtraceevent) pkgconfig(jansson) pkgconfig(inih)
	pkgconfig(libcap-ng) pkgconfig(libelf) pkgconfig(liblzma)
	pkgconfig(zlib) binutils-devel'
# shellcheck disable=SC2086 # a list of words
{
	managed dnf 'pkgconfig(libbpf)' \
		'pkgconfig(cmocka) perf mandoc gcc-c++ git-core' \
		-y install $rpms
	managed zypper 'pkgconfig(libbpf)' \
		'pkgconfig(cmocka) perf gcc-c++ git-core' \
		--non-interactive install $rpms
}
managed pacman libbpf 'cmocka perf mandoc git' \
	-S --needed --noconfirm gcc autoconf automake pkgconf \
	linux-api-headers ncurses libtraceevent jansson libinih libcap-ng \
	libelf xz zlib binutils
managed apk libbpf-dev 'cmocka-dev perf mandoc g++ git' \
	add -U gcc musl-dev autoconf automake pkgconf linux-headers \
	ncurses-dev libtraceevent-dev jansson-dev inih-dev libcap-ng-dev \
	elfutils-dev xz-dev zlib-dev binutils-dev

fetches_lists() {
	fresh
	NO_LISTS=1 start pacman build && asked 1 -Syu gcc
}
check 'pacman without lists fetches them' fetches_lists

no_manager() {
	fresh
	start none build && said 'no package manager known here'
}
check 'without a package manager it goes on' no_manager

needs_root() {
	fresh
	! ID=1000 start apk build &&
		said 'not root, and there is no sudo: have root install' &&
		asked 0
}
check 'neither root nor sudo' needs_root

with_sudo() {
	fresh
	stub sudo <<'END'
echo "sudo $1" >>"$LOG"
exec "$@"
END
	ID=1000 start dnf build && asked 2 gcc &&
		[ "$(head -n 1 "$tmp/log")" = 'sudo dnf' ]
}
check 'packages are installed with sudo' with_sudo
rm -f "$bin/sudo"

# What stays installed below.
fresh
start apk check
take_over

# Some lines, not one for each file; 21 is where it ends.
progress() {
	rm -rf "$tree/build" "$tree/configure"
	start apk build && said 'making configure' && said 'configuring build/' &&
		said 'building: 21 of 21 files' &&
		[ "$(grep -c ' building: ' "$tmp/err")" -lt 12 ] &&
		said "the program is $tree/build/rbtop" &&
		said "man $tree/build/man/rbtop.1" &&
		said "man $tree/man/rbtoprc.5"
}
nothing_to_do() {
	start apk build && ! grep -q 'building:' "$tmp/err" && said 'the program is'
}
relative() {
	(cd "$tree" && start apk build) && said 'the program is build/rbtop' &&
		said 'man build/man/rbtop.1'
}
check 'says how far it is, and where the program is' progress
check 'a second build says only where it is' nothing_to_do
check 'names are relative where that is enough' relative
for shell in "$(command -v dash)" "$(command -v busybox)"; do
	[ -n "$shell" ] || continue
	name=${shell##*/}
	if [ "$name" = busybox ]; then
		ln -sf "$shell" "$bin/ash"
		shell=$bin/ash
	fi
	check "the same in $name" progress
done
shell=

static() {
	start apk static && said "shared libraries: $tree/build/rbtop-static" &&
		rm "$tree/build/rbtop-static" || return
	! NO_ARCHIVE=yes start apk static && said 'cannot find -lbpf' &&
		said 'see doc/building.txt'
}
check 'without shared libraries' static

broken() {
	rm -rf "$tree/build"
	! BROKEN_FILE=yes start apk build && said 'no rule for file' &&
		said 'make failed'
}
last_line() {
	[ "$(tail -n 1 "$tmp/out")" = "$1" ] || { cat "$tmp/out"; false; }
}
broken_check() {
	rm -rf "$tree/build"
	! BROKEN_FILE=yes start apk check && last_line '0 passed, 1 failed, 0 skipped'
}
suite() {
	! start apk check && last_line '5 passed, 1 failed, 2 skipped'
}
check 'a build that fails is shown' broken
check 'the tests cannot be built: the last line' broken_check
check "the last line of check is the suite's" suite

# What quickstart parses is English; what it starts has the user's locale.
own_locale() {
	printf '#!/bin/sh\necho "${LC_ALL-none} $*"\n' >"$tree/build/rbtop" &&
		chmod +x "$tree/build/rbtop" &&
		LOCALE=$1 start apk run -b && last_line "$2 -b"
}
check 'rbtop runs in the locale of the user' own_locale C.UTF-8 C.UTF-8
check 'which may be none' own_locale '' none

installed() {
	start apk install && [ -f "$1/bin/rbtop" ] && said "$1/bin/rbtop" &&
		said "to remove it: $2$tree/quickstart uninstall"
}
removed() {
	start apk uninstall && [ ! -e "$1/bin/rbtop" ]
}
PREFIX=$tmp/opt
check 'PREFIX' installed "$tmp/opt" "PREFIX=$PREFIX "
check 'that is removed' removed "$tmp/opt"
DESTDIR=$tmp/stage PREFIX=/usr
check 'DESTDIR and PREFIX' installed "$tmp/stage/usr" \
	"PREFIX=/usr DESTDIR=$DESTDIR "
check 'these are removed' removed "$tmp/stage/usr"
PREFIX=
check 'DESTDIR alone' installed "$tmp/stage/usr/local" "DESTDIR=$DESTDIR "
check 'that, too' removed "$tmp/stage/usr/local"
DESTDIR='' PREFIX=opt
bad_prefix() {
	! start apk install && said 'PREFIX must begin with /: opt'
}
check 'PREFIX is absolute' bad_prefix
PREFIX=

usage() {
	start apk
	[ $? -eq 2 ] && said './quickstart install'
}
check 'its usage' usage

finish
