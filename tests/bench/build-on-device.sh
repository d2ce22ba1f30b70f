#!/bin/sh
# Builds tests/ops and the benchmarks without configure, on a machine with a GPU, nvcc and gcc: build-on-device.sh [FOLDER]
set -eu
cd "$(dirname "$0")/../.."
to=${1:-build-bench}
mkdir -p "$to"
flags="-arch=${ARCH:-native} -O3 -std=c++17 -fmad=false --compiler-options -Wall,-Wextra -Isrc -Ikernels"
pids=
for f in kernels/*.c src/gpufilter.c src/device_cpu.c src/region.c src/spool.c src/group.c src/history.c src/turn.c src/plan*.c tests/ops*.c; do
    o="$to/$(basename "$f" .c).o"
    case $f in tests/*) o="$to/test_${o##*/}" ;; esac
    gcc -std=gnu11 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -Isrc -Ikernels -c "$f" -o "$o" & pids="$pids $!"
done
for p in $pids; do wait "$p"; done
objects=
for f in kernels/*.c src/gpufilter.c src/device_cpu.c src/region.c src/spool.c src/group.c src/history.c src/turn.c src/plan*.c; do
    objects="$objects $to/$(basename "$f" .c).o"
done
for f in kernels/*.cu src/device_cuda*.cu; do
    objects="$objects $to/cuda_$(basename "$f" .cu).o"
done
nvcc -arch="${ARCH:-native}" -o "$to/ops" "$to"/test_*.o $objects -lm
[ ! -f "$to/cuda_bench.o" ] || nvcc -arch="${ARCH:-native}" -o "$to/bench" "$to/cuda_bench.o" "$to/cuda_peer.o" $objects -lm -ldl
