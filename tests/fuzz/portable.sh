#!/bin/sh
# Collects a folder that fuzzes on another machine with only a kernel and a shell:
#   portable.sh PROGRAM SOURCE FOLDER    (called by make fuzz-portable)
# It has the C library and its loader, too, so that the machine's own may be older.
set -e
program=$1 source=$2 folder=$3
[ -x "$program" ] || { echo 'fuzz-portable: there is no fuzzer; configure with --enable-fuzzing CC=clang' >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder/lib"
cp "$program" "$folder/fuzz"
strip --strip-debug "$folder/fuzz"
ldd "$program" | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' | sort -u |
while read -r library; do
    cp -L "$library" "$folder/lib/"
done
# names the loader so that run.sh need not know the architecture
ln -s "$(cd "$folder/lib" && echo ld-linux*)" "$folder/lib/loader"
sh "$source/tests/fuzz/unpack.sh" "$folder/corpus"
cp -r "$source/tests/fuzz/dictionaries" "$folder/"
cp "$source/tests/fuzz/run.sh" "$folder/"
du -sk "$folder" | awk '{ printf "%s: %.1f MB\n", "fuzz-portable", $1 / 1024 }'
