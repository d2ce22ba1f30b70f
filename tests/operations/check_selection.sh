# gpufilter-bench --check and --peers: which cases a name selects, what a missing GPU means, and the last lines.
. "$(dirname "$0")/../lib.sh"
bench=$(dirname "$GPUFILTER")/gpufilter-bench
unset GPUFILTER_REQUIRE_CUDA

# names FILE: the names of cases, and "random" with the group, each once.
names() { sed -n 's/^ok [0-9]* - \([^,#]*\), .*/\1/p' "$1" | uniq | tr '\n' ';'; }
# fails STATUS NAME MESSAGE ARGUMENT...: the status, exactly this message, and nothing on standard output.
fails()
{
    status=$1 name=$2 message=$3
    shift 3
    "$bench" "$@" >out 2>errors
    is "$name" "$? $(cat errors out)" "$status gpufilter-bench: $message"
}

"$bench" --check conv --quick --device cpu >out
is 'an operation: all its cases and random calls' "$(names out)" \
    'triangle 17x17;blur 5x5;blur 13x13;blur 15x15;blur 61x61;mask 3x3;mask 5x5;mask 15x15;column 301;'\
'slope;sobel;sharpen 7x7;mean 5x5;stencil;fir 255;random conv;'
"$bench" --check stencil --quick --device cpu >out
is 'a group of an operation' "$(names out)" 'stencil;fir 255;'
"$bench" --check prefix --quick --device cpu >out
is 'an operation whose name is no part of its cases' "$([ "$(names out)" != 'random prefix;' ] && echo more)" more
"$bench" --check 'blur 6' --quick --device cpu >out
is 'a part of a name selects checks' "$(names out)" 'blur 61x61;'
"$bench" --check 'blur [56]*x' --quick --device cpu >out
is 'a pattern selects checks' "$(names out)" 'blur 5x5;blur 61x61;'
"$bench" --check '=blur 5x5, u8, cpu' >out
is 'a whole name selects one check' "$(cat out)" '# seed 20
ok 1 - blur 5x5, u8, cpu
1..1
# 1 passed, 0 skipped'

fails 2 'no check of that name' "no case matches 'xylophone'; --check without a name runs all" --check xylophone
fails 2 'a stage without cases' "no case matches 'sepia'; the stage sepia uses point, so try --check point" \
    --check sepia
fails 2 '--peers is the advice for a stage without cases' \
    "no case matches 'sepia'; the stage sepia uses point, so try --peers point" --peers sepia --device cpu
fails 2 'a misspelt operation' "no case matches 'histogarm'; did you mean 'histogram'?" --check histogarm
fails 2 'a misspelt stage' "no case matches 'medain'; did you mean 'median'?" --check medain
"$bench" --check sobel --device cuda:99 >out 2>errors
is 'a GPU that is not there is an error' \
    "$? $(grep -c '^gpufilter-bench: --device cuda:99: .*; --device cpu checks the CPU only$' errors) $(cat out)" '1 1 '
if have_cuda; then
    "$bench" --check sobel --device cuda >out
    is '--device cuda checks on a GPU only' "$(grep '^ok ' out)" 'ok 1 - sobel, u8, cuda'
else
    "$bench" --check 'blur 5x5' >out
    is 'a missing GPU is one line' "$(sed 's/no GPU: .*/no GPU/' out)" '# seed 20
ok 1 - blur 5x5, u8, cpu
ok 2 - blur 5x5, u8 rgb, cpu
ok 3 - 2 checks on cuda:0 # SKIP no GPU
1..3
# 2 passed, 2 skipped'
    GPUFILTER_REQUIRE_CUDA=1 "$bench" --check sobel >out 2>errors
    is 'a missing GPU is a failure if a GPU is required' \
        "$? $(grep -c '^not ok 2 - 1 check on cuda:0 needs a GPU: ' out) $(tail -n 1 out)" '1 1 # 1 passed, 1 skipped'
fi
finish
