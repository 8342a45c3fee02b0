# SPDX-License-Identifier: GPL-2.0-or-later
# Packages.
EXTRA_DIST += \
	%D%/APKBUILD \
	%D%/PKGBUILD \
	%D%/rbtop.spec \
	debian/changelog \
	debian/clean \
	debian/control \
	debian/copyright \
	debian/rbtop.docs \
	debian/rules \
	debian/source/format
