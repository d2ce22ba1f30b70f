#!/bin/bash -eu
# Builds the fuzz targets for OSS-Fuzz: one program, under one name for each target.
./bootstrap
mkdir -p "$WORK/build"
cd "$WORK/build"
"$SRC/gpufilter/configure" --enable-fuzzing --disable-late-libraries --with-cuda=no
# The fuzzing engine is in C++.
make -j"$(nproc)" tests/fuzz/fuzz CCLD="$CXX"

# The machine that runs the targets does not have the libraries.
mkdir -p "$OUT/lib"
ldd tests/fuzz/fuzz | awk '$2 == "=>" && $3 ~ /^\// && $1 !~ /^lib(c|m|dl|rt|pthread)\.so/ { print $3 }' |
    xargs -I{} cp -L {} "$OUT/lib/"
patchelf --set-rpath '$ORIGIN/lib' tests/fuzz/fuzz
cd "$SRC/gpufilter/tests/fuzz"
sh unpack.sh "$WORK/corpus"
for corpus in "$WORK"/corpus/*; do
    target=${corpus##*/}
    cp "$WORK/build/tests/fuzz/fuzz" "$OUT/fuzz-$target"
    zip -q -j "$OUT/fuzz-${target}_seed_corpus.zip" "$corpus"/*
    [ ! -f "dictionaries/$target.dict" ] || cp "dictionaries/$target.dict" "$OUT/fuzz-$target.dict"
done
