# --occupancy: the occupancy of a kernel on any GPU, calculated. The wanted figures are from the documents that
# the cases name, or worked out by hand from the tables of the CUDA Programming Guide.
. "$(dirname "$0")/../lib.sh"
bench=$(dirname "$GPUFILTER")/gpufilter-bench

# Prints blocks, warps, most warps, percent and the limit for a kernel.
answer() { "$bench" --occupancy "$1" | sed 1d | ${AWK:-awk} '{ $1 = ""; sub(/^ /, ""); print }'; }
fits() { is "$1" "$(answer "$2")" "$3"; }

# Best Practices Guide, "Calculating Occupancy"
fits '128 threads of 37 registers, 7.0' block=128,registers=37,arch=70 '12 48 of 64 75.0 % registers'
fits '320 threads of 37 registers, 7.0' block=320,registers=37,arch=7.0 '4 40 of 64 62.5 % registers'
# Programming Guide, "Multiprocessor Level"
fits '512 threads of 64 registers, 6.1' block=512,registers=64,arch=6.1 '2 32 of 64 50.0 % registers'
fits '512 threads of 65 registers, 6.1' block=512,registers=65,arch=6.1 '1 16 of 64 25.0 % registers'
# Kirk and Hwu on the G80: 10 registers let three blocks of 16x16 run, 11 two
fits '16x16 threads of 10 registers, 1.0' block=256,registers=10,arch=10 '3 24 of 24 100.0 % registers and warps'
fits '16x16 threads of 11 registers, 1.0' block=256,registers=11,arch=10 '2 16 of 24 66.7 % registers'
fits '8x8 threads, 1.0: 8 blocks of the 12 that could fit' block=64,arch=10 '8 16 of 24 66.7 % blocks'
fits '32x32 threads, 1.0' block=1024,arch=10 '0 0 of 24 0.0 % no block runs: too many threads'
fits '8x8 threads, 2.0' block=64,arch=20 '8 16 of 48 33.3 % blocks'
fits '16x16 threads, 2.0' block=256,arch=20 '6 48 of 48 100.0 % warps'
# Kirk and Hwu on the GT200, and on shared memory of the G80
fits '8x8 threads, 1.3: 8 blocks of the 16 that could fit' block=64,arch=13 '8 16 of 32 50.0 % blocks'
fits '16x16 threads, 1.3' block=256,arch=13 '4 32 of 32 100.0 % warps'
fits '32x32 threads, 1.3' block=1024,arch=13 '0 0 of 32 0.0 % no block runs: too many threads'
fits '5 KB of shared memory, 1.0' block=64,shared=5K,arch=10 '3 6 of 24 25.0 % shared memory'
# Best Practices Guide of CUDA 3, "Calculating Occupancy"
fits '128 threads of 12 registers, 1.0' block=128,registers=12,arch=10 '5 20 of 24 83.3 % registers'
fits '256 threads of 12 registers, 1.0' block=256,registers=12,arch=10 '2 16 of 24 66.7 % registers'
# Programming Guide of CUDA 3, "Multiprocessor Level"
fits '512 threads of 16 registers, 1.2' block=512,registers=16,arch=12 '2 32 of 32 100.0 % registers and warps'
fits '512 threads of 17 registers, 1.2' block=512,registers=17,arch=12 '1 16 of 32 50.0 % registers'
# Hwu, Kirk and El Hajj on the A100
fits '32 threads, 8.0' block=32,arch=80 '32 32 of 64 50.0 % blocks'
fits '768 threads, 8.0' block=768,arch=80 '2 48 of 64 75.0 % warps'
fits '512 threads of 31 registers, 8.0' block=512,registers=31,arch=80 '4 64 of 64 100.0 % registers and warps'
fits '512 threads of 33 registers, 8.0' block=512,registers=33,arch=80 '3 48 of 64 75.0 % registers'
fits '128 threads of 30 registers, 8.0' block=128,registers=30,arch=80 '16 64 of 64 100.0 % registers and warps'
fits '32 threads of 29 registers, 8.0' block=32,registers=29,arch=80 '32 32 of 64 50.0 % blocks'
# By hand: a warp of 34 registers gets 5 units of 256, so 12 warps fit each of the four parts of 16384. The product
# 256 * 34 alone would let 7 blocks run.
fits '256 threads of 34 registers, 9.0' block=256,registers=34,arch=90 '6 48 of 64 75.0 % registers'
# By hand: 512 * 21 = 10752 registers. A block of 1.0 cannot have them; 1.3 has room for one. On 2.0 a warp of 672
# gets 704, so 16 warps take 11264, and 2 blocks run; 32768 / 10752 alone would be 3. On 3.0 a warp gets 768.
fits '512 threads of 21 registers, 1.0' block=512,registers=21,arch=10 \
    '0 0 of 24 0.0 % no block runs: too many registers per block'
fits '512 threads of 21 registers, 1.3' block=512,registers=21,arch=13 '1 16 of 32 50.0 % registers'
fits '512 threads of 21 registers, 2.0' block=512,registers=21,arch=20 '2 32 of 48 66.7 % registers'
fits '512 threads of 21 registers, 3.0' block=512,registers=21,arch=30 '4 64 of 64 100.0 % warps'
# By hand: a block takes 48 KB and one that the system reserves; 228 / 49 = 4
fits '48 KB of shared memory, 9.0' block=256,shared=48K,arch=90 '4 32 of 64 50.0 % shared memory'
fits '64 KB do not fit a block of 5.2' block=64,shared=64K,arch=52 \
    '0 0 of 64 0.0 % no block runs: too much shared memory'
fits '64 registers and 48 KB, 7.5' registers=64,shared=48K,block=256,arch=75 '1 8 of 32 25.0 % shared memory'
page=$tree/man/gpufilter-lessons.7.in
if [ -f "$page" ]; then
    sed -n '/^block  registers  shared  arch/,/^\.ft$/p' "$page" | sed '1d;$d' >rows.txt
    is 'the manual has published examples of occupancy' "$([ "$(wc -l <rows.txt)" -ge 12 ] && echo yes)" yes
    while read -r block registers shared arch blocks percent rest; do
        question=block=$block,arch=$arch
        [ "$registers" = - ] || question=$question,registers=$registers
        [ "$shared" = - ] || question=$question,shared=$shared
        is "the example of $rest: $question" "$(answer "$question" | ${AWK:-awk} '{ print $1, $5 }')" \
            "$blocks ${percent%\%}"
    done <rows.txt
fi
is 'occupancy without an architecture is for all of them' \
    "$("$bench" --occupancy block=256 | sed 1d | wc -l | tr -d ' ')" 28
refuses 2 'no block size; add block=N' 'occupancy without a block size' "$bench" --occupancy registers=32
refuses 2 'block=1025: must be a whole number, 1 to 1024' 'a large block' "$bench" --occupancy block=1025
refuses 2 'registers=0: must be a whole number, 1 to 255' 'occupancy with registers=0' "$bench" --occupancy \
    block=32,registers=0
refuses 2 'arch=99: unknown compute capability' 'an unknown GPU' "$bench" --occupancy block=32,arch=99
refuses 2 "unexpected 'warps'" 'an unknown part' "$bench" --occupancy block=32,warps=4
refuses 2 '--occupancy has no effect on --check' '--occupancy with another command' "$bench" --check --occupancy \
    block=32
refuses 2 'conv: unexpected argument' '--occupancy with an operation' "$bench" conv --occupancy block=32
finish
