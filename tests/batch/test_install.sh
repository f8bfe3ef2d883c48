#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_install.sh BUILD SOURCES   checks that `cmake --install` gives a working prefix that does not depend on the build.
set -uo pipefail
build=$1 sources=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
check()
{
    local what=$1
    shift
    if ! "$@" >"$work/output" 2>&1; then
        echo "FAILED: $what" >&2
        head -n 20 "$work/output" >&2
        failures=$((failures + 1))
    fi
}
prefix="$work/some where"
unset COLLSCOPE_RESOURCES COLLSCOPE_PROGRAM
export HOME=$work/home
umask 077 # a strict umask; installed files must still be readable by all users
check "it installs" cmake --install "$build" --prefix "$prefix"
mv "$prefix" "$work/moved" # the prefix can be moved
prefix=$work/moved
check "the demo is found" "$prefix/bin/collscope" --batch --demo --metric comm_comp_overlap
check "ccl-metrics" "$prefix/bin/ccl-metrics" --demo --metric avg_step_time
check "the kit is found" "$prefix/bin/collscope" --batch --write-kit "$work/kit"
check "its scripts can be run" test -x "$work/kit/perlmutter/verify_traces.sh"
check "the kit contains no build files" test ! -e "$work/kit/tools/CMakeLists.txt"
for file in applications/io.github.collscope.Collscope.desktop metainfo/io.github.collscope.Collscope.metainfo.xml mime/packages/io.github.collscope.Collscope.xml \
    icons/hicolor/scalable/apps/io.github.collscope.Collscope.svg icons/hicolor/scalable/mimetypes/io.github.collscope.Collscope.trace.svg collscope/help/index.md collscope/help/pictures/peak.png collscope/knowledge/devices.toml collscope/skill/collscope/SKILL.md \
    bash-completion/completions/collscope bash-completion/completions/ccl-metrics zsh/vendor-completions/_collscope man/man1/collscope.1.gz doc/collscope/copyright doc/collscope/README; do
    check "$file" test -s "$prefix/share/$file"
done
# Paths of this machine in installed files would be wrong on every other machine.
check "installed files contain no path of the build or the sources" sh -c "! grep -rlaF -e '$build' -e '$sources/' '$prefix'"
check "nothing was written at home" test ! -e "$HOME"
check "all users can read the files" sh -c "! find '$prefix' -mindepth 1 ! -type l ! -perm -444 | grep ."
check "other users cannot write the files" sh -c "! find '$prefix' -mindepth 1 ! -type l -perm /022 | grep ."
# All documents state the same version.
version=$("$prefix/bin/collscope" --version | sed -n '1s/collscope //p')
check "version of the metainfo" grep -q "<release version=\"$version\"" "$prefix/share/metainfo/io.github.collscope.Collscope.metainfo.xml"
check "version of Debian's changelog" sh -c "zcat '$prefix/share/doc/collscope/changelog.gz' | head -n 1 | grep -qF '($version)'"
check "version of the changelog" sh -c "zcat '$prefix/share/doc/collscope/CHANGELOG.md.gz' | grep -m 1 '^## .[0-9]' | grep -qF '## [$version] - '"
[ "$failures" = 0 ] || { echo "$failures checks failed" >&2; exit 1; }
