#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The packages have the version of configure.ac and need what it looks for, as
# quickstart installs it.

. "$(dirname "$0")/lib.sh"

cd "$top" || exit 99
version=$(sed -n 's/^AC_INIT(\[rbtop\], \[\([^]]*\)\].*/\1/p' configure.ac)

# says FILE PATTERN: one line of FILE is PATTERN
says() {
	[ "$(grep -cx -- "$2" "$1")" -eq 1 ] || { grep -n rbtop "$1"; false; }
}

check 'configure.ac has a version' test -n "$version"
check 'debian/control: the name' says debian/control 'Source: rbtop'
check 'debian/changelog: the version' test \
	"$(sed -n '1s/^rbtop (\([^)]*\)) .*/\1/p' debian/changelog)" = "$version"
check 'rbtop.spec: the name' says contrib/rbtop.spec 'Name: *rbtop'
check 'rbtop.spec: the version' says contrib/rbtop.spec "Version: *$version"
for file in PKGBUILD APKBUILD; do
	check "$file: the name" says "contrib/$file" pkgname=rbtop
	check "$file: the version" says "contrib/$file" "pkgver=$version"
done
check 'PKGBUILD is bash' bash -n contrib/PKGBUILD
check 'APKBUILD is sh' sh -n contrib/APKBUILD

# What configure looks for by pkg-config, and what each distribution has it in.
cat >"$tmp/table" <<'END'
ncursesw libncurses-dev pkgconfig(ncursesw) ncurses ncurses-dev
libtraceevent libtraceevent-dev pkgconfig(libtraceevent) libtraceevent libtraceevent-dev
jansson libjansson-dev pkgconfig(jansson) jansson jansson-dev
inih libinih-dev pkgconfig(inih) libinih inih-dev
libcap-ng libcap-ng-dev pkgconfig(libcap-ng) libcap-ng libcap-ng-dev
libelf libelf-dev pkgconfig(libelf) libelf elfutils-dev
liblzma liblzma-dev pkgconfig(liblzma) xz xz-dev
zlib zlib1g-dev pkgconfig(zlib) zlib zlib-dev
libzstd libzstd-dev pkgconfig(libzstd) zstd zstd-dev
libbpf libbpf-dev pkgconfig(libbpf) libbpf libbpf-dev
cmocka libcmocka-dev pkgconfig(cmocka) cmocka cmocka-dev
iberty libiberty-dev binutils-devel binutils binutils-dev
clang clang clang clang clang
bpftool bpftool bpftool bpf bpftool
autoconf autoconf autoconf autoconf autoconf
automake automake automake automake automake
END

tr -s '[:space:],=<>|"'\'' ' '\n' <debian/control >"$tmp/debian"
sed -n 's/^BuildRequires: *//p' contrib/rbtop.spec | tr ' ' '\n' >"$tmp/spec"
# shellcheck disable=SC2016 # for the other shell
lists='. "$1"; printf "%s\n" ${depends[*]} ${makedepends[*]} ${checkdepends[*]}'
bash -c "$lists" - ./contrib/PKGBUILD >"$tmp/pkgbuild"
bash -c "$lists" - ./contrib/APKBUILD >"$tmp/apkbuild"
# A function's lists, from its name to the line "}".
for manager in apt_get rpm pacman apk; do
	sed -n "/^packages_$manager() {/,/^}/p" quickstart |
		tr "='\"" ' ' | tr -s '[:space:]' '\n' >"$tmp/$manager"
done

# In the sets of four names, each stands where it belongs.
covered() {
	local what deb rpm arch alpine missing=0

	while read -r what deb rpm arch alpine; do
		while read -r name files; do
			for file in $files; do
				grep -qxF -- "$name" "$tmp/$file" && continue
				echo "$what: $file lacks $name"
				missing=1
			done
		done <<<"$deb debian apt_get
$rpm spec rpm
$arch pkgbuild pacman
$alpine apkbuild apk"
	done <"$tmp/table"
	return "$missing"
}
check 'each package needs what configure looks for' covered

# A library that configure learns of is missed here until it has a row.
known() {
	local module unknown=0

	for module in $(grep -oE 'PKG_CHECK_MODULES\(\[[A-Z]+\], \[[a-z-]+' \
		configure.ac | sed 's/.*\[//'); do
		grep -q "^$module " "$tmp/table" && continue
		echo "no packages are known for $module"
		unknown=1
	done
	return "$unknown"
}
check 'each library of configure.ac has its packages' known

finish
