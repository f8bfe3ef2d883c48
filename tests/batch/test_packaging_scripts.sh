#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Collscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# test_packaging_scripts.sh SOURCES   checks the messages of the scripts of a first build when they cannot continue.
set -uo pipefail
sources=$1
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

# A system with a shell but without apt.
mkdir "$work/bin"
for tool in bash env dirname sed paste fold id cat mktemp rm; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
env PATH="$work/bin" "$sources/packaging/run.sh" >"$work/said" 2>&1
check "run.sh stops with exit code 1" test $? = 1
check "it names the system" grep -qF "$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' /etc/os-release) does not have" "$work/said"
check "it offers the archive" grep -q 'packaging/package.sh' "$work/said"
check "it explains how to build" grep -q 'cmake --preset release' "$work/said"
while read -r package; do
    check "it names $package" grep -qw -e "$package" "$work/said"
done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$sources"/packaging/packages{,-window}.txt)
check "it prints no errors of its own" sh -c "! grep -E 'command not found|No such file' '$work/said'"

# A failing build: the end of its output is printed, and the exit code is not lost in the pipe. Without a display, the demo is printed.
copy=$work/copy
mkdir -p "$copy/packaging" "$copy/build/release/bin"
cp "$sources/packaging/run.sh" "$copy/packaging/"
printf '#!/bin/sh\n' >"$copy/packaging/install-packages.sh"
printf '#!/bin/sh\necho "program $*"\n' >"$copy/build/release/bin/collscope"
cat >"$work/bin/cmake" <<'FAKE'
#!/usr/bin/env bash
[ "$1" = --build ] || exit 0
for n in 1 2 3 4; do echo "[$n/4] Building part $n"; done
[ -z "${FAILS:-}" ] || { echo "error: a part is missing"; exit 1; }
FAKE
chmod +x "$copy/packaging/install-packages.sh" "$copy/build/release/bin/collscope" "$work/bin/cmake"
ln -s "$(command -v tail)" "$work/bin/tail"
env -u DISPLAY -u WAYLAND_DISPLAY PATH="$work/bin" FAILS=1 "$copy/packaging/run.sh" >"$work/said" 2>&1
check "a failing build stops run.sh" test $? = 1
check "the end of its output is printed" grep -q 'error: a part is missing' "$work/said"
check "the program is not started" sh -c "! grep -q '^program' '$work/said'"
env -u DISPLAY -u WAYLAND_DISPLAY PATH="$work/bin" "$copy/packaging/run.sh" >"$work/said" 2>&1
check "a successful build is exit code 0" test $? = 0
check "progress is printed" grep -q 'Building: 3 of 4' "$work/said"
check "the demo's metrics are printed" grep -q '^program --batch --demo' "$work/said"

# The other processor and the other Debian: building for them needs a mirror, so only what the scripts name is checked.
"$sources/packaging/package.sh" nothing >"$work/said" 2>&1
check "package.sh refuses an unknown preset" test $? = 1
check "it names those that it knows" grep -qxF "package.sh: unknown preset 'nothing'; use release, batch or aarch64" "$work/said"
for preset in release batch aarch64; do
    check "$preset: it is a preset" grep -qF "{\"name\": \"$preset\", \"configurePreset\": \"$preset\"}" "$sources/CMakePresets.json"
done
while read -r list; do
    check "$list: package.sh installs a list that exists" test -s "$sources/packaging/$list"
done < <(grep -oE 'packages(-[a-z]+)?\.txt' "$sources/packaging/package.sh" | sort -u)
# make-sysroot.sh takes the libraries by their names.
check "packages.txt names no package of the window" sh -c "! grep -iE '^[^#]*(qt|xkb|font)' '$sources/packaging/packages.txt'"

# The image: building it needs a registry, so only what the recipe names is checked.
recipe=$sources/packaging/Containerfile
while read -r source; do
    check "COPY $source: it exists" test -e "$sources/$source"
done < <(grep '^COPY ' "$recipe" | grep -v -e '--from=' | sed -e 's/^COPY //' -e 's/ [^ ]*$//' | tr ' ' '\n')
while read -r entry; do
    check "$entry of the source tree is copied" grep -qE "^COPY (.* )?$entry( |\$)" "$recipe"
done < <(cd "$sources" && grep -hoE '^ *add_subdirectory\([a-z_]+' CMakeLists.txt | cut -d'(' -f2)
check "the packages are those of package.sh" grep -qF 'install-packages.sh packaging/packages.txt packaging/packages-package.txt' "$recipe"
check "package.sh installs the same" grep -qxF 'lists=(packages.txt packages-package.txt)' "$sources/packaging/package.sh"
check "what it installs is what package.sh makes" grep -qF 'set(CPACK_COMPONENTS_ALL batch' "$sources/packaging/CMakeLists.txt"
check "no other package is named" sh -c "! grep -E 'apt-get install|apt install' '$recipe' | grep -v '/tmp/collscope-batch_\*.deb'"
check "both stages have one system" test "$(grep '^FROM ' "$recipe" | cut -d' ' -f2 | sort -u | wc -l)" = 1
check "the program does not run as root" sh -c "sed -n '/^USER /p' '$recipe' | tail -n 1 | grep -qE '^USER [1-9][0-9]*:[1-9]'"
check "it is the entry point" grep -qxF 'ENTRYPOINT ["collscope"]' "$recipe"
[ "$failures" = 0 ] || { echo "$failures checks failed" >&2; exit 1; }
