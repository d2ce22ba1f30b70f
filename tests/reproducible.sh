#!/bin/sh
# Builds the source twice, in folders of different names and depths, with other clocks, locales and umasks,
# and compares all that would be installed:
#   reproducible.sh TARBALL CONFIGURE-ARGUMENT...    (called by make check-reproducible)
tarball=$(cd "$(dirname "$1")" && pwd)/${1##*/}
shift
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-twice.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
CCACHE_DISABLE=1
export CCACHE_DISABLE

# build SOURCE FOLDER ARGUMENT...: installs into FOLDER/root.
build()
{
    source=$scratch/$1 folder=$scratch/$2
    shift 2
    mkdir -p "$source" "$folder" && tar -C "$source" --strip-components=1 -xf "$tarball" && cd "$folder" || return
    "$source/configure" --enable-reproducible --with-cuda=no --prefix=/usr "$@" >configure.out 2>&1 &&
        ${MAKE:-make} -j2 >make.out 2>&1 && ${MAKE:-make} install DESTDIR="$folder/root" >>make.out 2>&1 && return
    tail -n 20 "$folder/configure.out" "$folder/make.out" >&2
    return 1
}

(umask 022; TZ=UTC0 LC_ALL=C; export TZ LC_ALL; build a a/build "$@") || exit 99
sleep 2
(umask 077; TZ=XYZ-13 LC_ALL=C.UTF-8; export TZ LC_ALL; build some/longer/name other "$@") || exit 99

# list FOLDER: prints name, kind, mode and target of a link of all that is installed. The umask decides on the
# mode of a folder.
list()
{
    (cd "$scratch/$1/root" && find . -type d -printf '%P %y\n' -o -printf '%P %y %m %l\n' | sort)
}

list a/build >"$scratch/first"
list other >"$scratch/second"
same=0 different=0
diff "$scratch/first" "$scratch/second" || different=1
(cd "$scratch/a/build/root" && find . -type f | sort) >"$scratch/files"
while read -r file; do
    if cmp "$scratch/a/build/root/$file" "$scratch/other/root/$file"; then
        same=$((same + 1))
    else
        different=$((different + 1))
    fi
done <"$scratch/files"
echo "reproducible build: $same files are equal, $different differ"
[ $different = 0 ] && [ $same -gt 10 ]
