# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What a virtual machine boots: a distribution's kernel, and a file system with
# the module in this directory and the scenarios; sourced by run.sh:
#
#	vm_fetch		fetch the kernel's packages; false if this
#				machine cannot run the tests
#	vm_build		make $vm_image and $vm_initrd of them
#
# On failure, the reason is in the last line on standard output.
#
#	$vm_work	a directory for files made each time
#	$vm_cache	one for files that are kept: the kernel's packages,
#			unpacked
#	$vm_kernel	the kernel's series, as in the names of its packages;
#			empty: the distribution's default

# bpftool and setcap are there, which not every PATH has
PATH=$PATH:/usr/sbin:/sbin

vm_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

vm_needs() {
	local program missing=

	for program in qemu-system-x86_64 busybox cpio perf jq tmux bpftool \
		setcap gcc make dpkg apt-get apt-cache; do
		command -v "$program" >/dev/null || missing+=" $program"
	done
	[ -z "$missing" ] || { echo "not installed:$missing"; return 1; }
	[ "$(uname -m)" = x86_64 ] || { echo "not an x86-64 machine"; return 1; }
}

# The release that the meta package $1 stands for, if apt knows it.
vm_release_of() {
	apt-cache depends "$1" 2>/dev/null |
		sed -n 's/.*Depends: linux-image-\(.*\)-cloud-amd64$/\1/p' |
		head -n 1
}

# New machines and containers have no list of packages yet.
vm_update() {
	local as_root=

	[ "$(id -u)" -eq 0 ] || as_root='sudo -n'
	$as_root apt-get -q update >"$vm_work/update.log" 2>&1
}

# The release of the distribution's kernel image: 6.1.0-56, say.
vm_find_release() {
	local meta=linux-image-${vm_kernel:+$vm_kernel-}cloud-amd64

	vm_release=$(vm_release_of "$meta")
	[ -n "$vm_release" ] ||
		{ vm_update; vm_release=$(vm_release_of "$meta"); }
	[ -n "$vm_release" ] || { echo "apt knows no $meta"; return 1; }
	vm_dir=$vm_cache/$vm_release
	vm_root=$vm_dir/root
	vm_headers=$vm_root/usr/src/linux-headers-$vm_release-cloud-amd64
	vm_image=$vm_root/boot/vmlinuz-$vm_release-cloud-amd64
	vm_modules=$vm_root/lib/modules/$vm_release-cloud-amd64/kernel
}

# The packages of build tools that the headers need.
vm_kbuild() {
	apt-cache depends "linux-headers-$vm_release-cloud-amd64" |
		sed -n 's/.*Depends: \(linux-kbuild-.*\)/\1/p' | head -n 1
}

# The headers' makefile has the path where they would be installed.
vm_unpack() {
	local package

	for package in "$vm_dir"/packages/*.deb; do
		dpkg -x "$package" "$vm_root.new" || return
	done
	sed -i "s|^include /usr/src|include $vm_root/usr/src|" \
		"$vm_root.new/usr/src/${vm_headers##*/}/Makefile" &&
		mv "$vm_root.new" "$vm_root" && rm -rf "$vm_dir/packages"
}

# An incomplete download or unpacking is removed the next time.
vm_download() {
	[ ! -d "$vm_root" ] || return 0
	rm -rf "$vm_dir"
	mkdir -p "$vm_dir/packages"
	if ! (cd "$vm_dir/packages" && apt-get -q download \
		"linux-image-$vm_release-cloud-amd64" \
		"linux-headers-$vm_release-cloud-amd64" \
		"linux-headers-$vm_release-common" "$(vm_kbuild)") \
		>"$vm_work/download.log" 2>&1; then
		echo "cannot download the packages of kernel $vm_release:" \
			"$(grep '^E:' "$vm_work/download.log" | head -n 1)"
		return 1
	fi
	vm_unpack >"$vm_work/unpack.log" 2>&1 ||
		{ echo "cannot unpack kernel $vm_release"; return 1; }
}

# A warning in the module is an error; there is no vmlinux to take BTF from.
vm_module() {
	local dir=$vm_work/module

	mkdir -p "$dir" && cp "$vm_here"/module/* "$dir" &&
		make -C "$vm_headers" M="$dir" W=1 KCFLAGS=-Werror \
			CONFIG_DEBUG_INFO_BTF_MODULES= modules \
			>"$vm_work/module.log" 2>&1 &&
		strip -g "$dir/mimic.ko" && return
	cat "$vm_work/module.log"
	echo "the module does not build for kernel $vm_release"
	return 1
}

# vm_put FILE [DIRECTORY]: copy it to the image, with the libraries it needs.
vm_put() {
	local file library

	file=$(readlink -f "$1") || return
	mkdir -p "$vm_base/${2:-rig/bin}"
	cp "$file" "$vm_base/${2:-rig/bin}/${1##*/}" || return
	ldd "$file" 2>/dev/null | grep -o '/[^ ]*' | while read -r library; do
		mkdir -p "$vm_base${library%/*}"
		[ -e "$vm_base$library" ] ||
			cp -L "$library" "$vm_base$library"
	done
}

vm_programs() {
	local program

	gcc -O2 -static -pthread -o "$vm_base/rig/bin/spin" \
		"$vm_here/guest/spin.c" || return
	gcc -O2 -static -D_GNU_SOURCE -o "$vm_base/rig/bin/check_trace" \
		"$vm_here/check_trace.c" "$vm_here/trace_file.c" || return
	gcc -O2 -static -D_GNU_SOURCE -o "$vm_base/rig/bin/host_owner" \
		"$vm_here/../live/host_owner.c" || return
	program=${builddir:-$top/build}/tests/live/host_owner_bpf
	[ ! -x "$program" ] || vm_put "$program" || return
	mkdir -p "$vm_base/bin"
	cp "$(command -v busybox)" "$vm_base/bin/busybox" || return
	for program in perf jq tmux bpftool setcap; do
		vm_put "$(command -v $program)" || return
	done
	[ ! -x "${RBTOP:-}" ] || vm_put "$RBTOP"
}

# The terminfo entries and the locale that tmux and rbtop need.
vm_terminal() {
	local dir entry

	for dir in /etc/terminfo /lib/terminfo /usr/share/terminfo; do
		for entry in t/tmux-256color s/screen l/linux; do
			[ -e "$dir/$entry" ] || continue
			mkdir -p "$vm_base/lib/terminfo/${entry%/*}"
			cp -L "$dir/$entry" "$vm_base/lib/terminfo/$entry"
		done
	done
	mkdir -p "$vm_base/usr/lib/locale"
	cp -r /usr/lib/locale/C.utf8 "$vm_base/usr/lib/locale/"
}

vm_kernel_modules() {
	local module found

	mkdir -p "$vm_base/rig/modules"
	cp "$vm_work/module/mimic.ko" "$vm_base/rig/modules/" || return
	for module in virtio virtio_ring virtio_pci virtio_pci_modern_dev \
		virtio_pci_legacy_dev virtio_console; do
		found=$(find "$vm_modules" -name "$module.ko*" | head -n 1)
		case $found in
		*.xz) xz -dc "$found" >"$vm_base/rig/modules/$module.ko" ;;
		?*) cp "$found" "$vm_base/rig/modules/" ;;
		esac || return
	done
}

# vm_pack DIRECTORY FILE: pack it as the kernel unpacks it at boot
vm_pack() {
	(cd "$1" && find . | cpio --quiet -o -H newc -R 0:0) >"$2"
}

vm_initramfs() {
	vm_base=$vm_work/base
	vm_initrd=$vm_work/initrd
	mkdir -p "$vm_base/rig/bin" "$vm_base"/{proc,sys,dev,tmp,root} &&
		vm_programs && vm_terminal && vm_kernel_modules &&
		cp "$vm_here/guest/init" "$vm_base/init" &&
		cp "$vm_here"/guest/*.sh "$vm_base/rig/" &&
		chmod 755 "$vm_base/init" &&
		cp -r "$vm_here/scenarios" "$vm_base/rig/" &&
		vm_pack "$vm_base" "$vm_initrd" && rm -rf "$vm_base" && return
	echo "the guest's file system cannot be made"
	return 1
}

vm_fetch() {
	vm_needs && vm_find_release && vm_download
}

vm_build() {
	vm_module && vm_initramfs
}
