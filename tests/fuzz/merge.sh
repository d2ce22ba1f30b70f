#!/bin/sh
# Makes the corpora small again: of their own inputs and those in FOLDER/TARGET, keeps those that
# reach more code, not those that only repeat it more often.
#   FUZZ=PROGRAM merge.sh SOURCE [FOLDER...]    (called by make fuzz-merge FOLDERS=...)
# Inputs are cut to MOST bytes.
most=${MOST:-2000}
here=$(cd "$1/tests/fuzz" && pwd)
shift
fuzz=$(cd "$(dirname "$FUZZ")" && pwd)/${FUZZ##*/}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
sh "$here/unpack.sh" "$scratch/old" || exit 1
"$fuzz" 2>&1 | sed 's/.*the targets are //' | tr ' ' '\n' | while read -r target; do
    folders=
    for folder in "$scratch/old" "$@"; do
        [ ! -d "$folder/$target" ] || folders="$folders $folder/$target"
    done
    new=$scratch/$target
    mkdir -p "$new"
    "$fuzz" "$target" -set_cover_merge=1 -use_counters=0 -detect_leaks=0 -timeout=10 -max_len="$most" \
        "$new" $folders 2>"$new.log" || { tail -n 5 "$new.log"; continue; }
    # short names
    for file in "$new"/*; do
        mv -n "$file" "$new/$(basename "$file" | cut -c 1-12)"
    done
    tar -C "$new" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf - . |
        gzip -9n >"$here/corpus/$target.tar.gz"
    echo "$target: $(ls "$new" | wc -l) inputs, $(cat "$new"/* | wc -c) bytes"
done
