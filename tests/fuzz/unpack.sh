#!/bin/sh
# Unpacks the corpora: for each target, FOLDER/TARGET gets the inputs of corpus/TARGET.tar.gz, and
# those of found/TARGET, which once failed.
#   unpack.sh FOLDER [TARGET...]
here=$(cd "$(dirname "$0")" && pwd) folder=$1
shift
[ $# -gt 0 ] || set -- $(cd "$here/corpus" && ls | sed 's/[.]tar[.]gz$//')
for target in "$@"; do
    mkdir -p "$folder/$target"
    gzip -dc "$here/corpus/$target.tar.gz" | tar -C "$folder/$target" -xf - || exit 1
    [ ! -d "$here/found/$target" ] || cp "$here/found/$target"/* "$folder/$target/" || exit 1
done
