#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The version of a source tree, and its tarball.

. "$(dirname "$0")/lib.sh"

git_version=$top/build-aux/git-version

# Nothing of the user's, and of the repository that this one may lie in.
export GIT_CONFIG_NOSYSTEM=1 HOME=$tmp
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.invalid
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.invalid
unset GIT_DIR GIT_WORK_TREE SOURCE_DATE_EPOCH
# The tree may be another user's, as in a container.
command -v git >/dev/null && git config --global safe.directory '*'

is() {
	local said

	said=$("$git_version" "$1" 1.2) && [[ $said == $2 ]] ||
		{ echo "$said"; false; }
}

plain_versions() {
	mkdir "$tmp/tarball" && is "$tmp/tarball" 1.2
}
check 'without git it is the plain version' plain_versions

if ! command -v git >/dev/null; then
	skip 'versions from git' 'no git'
	finish
fi

repository() {
	git init -q "$tmp/repo" && cd "$tmp/repo" && echo one >file &&
		git add file && GIT_COMMITTER_DATE='@1000000000 +0000' \
			git commit -q -m one
}
check 'a repository' repository
cd "$tmp/repo" || exit 99
hash='g[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]'
check 'without a tag' is . "1.2-$hash"
time_is() {
	[ "$("$git_version" --time .)" = "$1" ]
}
check 'the time of the last commit' time_is 1000000000
git tag not-a-version
git tag -a -m tag v1.2
check 'at a tag' is . 1.2
git commit -q --allow-empty -m two
git commit -q --allow-empty -m three
check 'after a tag' is . "1.2-2-$hash"
git clone -q --depth 1 "file://$tmp/repo" "$tmp/shallow"
check 'a shallow clone has no tag' is "$tmp/shallow" "1.2-$hash"
git worktree add -q "$tmp/worktree" HEAD
check 'a worktree' is "$tmp/worktree" "1.2-2-$hash"
mkdir rbtop-1.2
check 'a tarball within a repository' is rbtop-1.2 1.2
echo more >>file
check 'changed files' is . "1.2-2-$hash-dirty"
git checkout -q file
git tag 'v3;"$(id)'
check 'a tag is no code' is . "1.2-$hash"

# The tarball.
cd "$top" || exit 99
for tool in autoreconf tar xz; do
	if ! command -v "$tool" >/dev/null; then
		skip 'the same tarball twice' "no $tool"
		finish
	fi
done
if [ ! -e .git ]; then
	skip 'the same tarball twice' 'this is no clone'
	finish
fi

# tarball UMASK DIR TIME_ZONE: clone there, and make dist
tarball() (
	umask "$1"
	export TZ=$3
	git clone -q -s "$top" "$2" && cd "$2" && autoreconf -i &&
		./configure -q --cache-file="$tmp/cache" && make -s dist
)
check 'make dist' tarball 022 "$tmp/a" UTC
check 'make dist elsewhere' tarball 077 "$tmp/other/folder" Asia/Tokyo
same() {
	cmp "$tmp"/a/rbtop-*.tar.xz "$tmp"/other/folder/rbtop-*.tar.xz
}
twice() {
	mv "$tmp"/a/rbtop-*.tar.xz "$tmp/first" && make -s -C "$tmp/a" dist &&
		cmp "$tmp/first" "$tmp"/a/rbtop-*.tar.xz
}
check 'the same bytes from another clone' same
check 'the same bytes once more' twice
from_tarball() {
	mkdir "$tmp/again" && tar -xf "$tmp/first" -C "$tmp/again" &&
		cd "$tmp"/again/rbtop-* && [ "$("$git_version" . 1.2)" = 1.2 ] &&
		./configure -q --cache-file="$tmp/cache" && make -s dist &&
		cmp "$tmp/first" rbtop-*.tar.xz
}
check 'the same bytes from the tarball' from_tarball

finish
