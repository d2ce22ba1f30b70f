# Rules for the source tree, checked with grep and awk: who may use what, sizes, lists. And the
# libraries that the program needs.
. "$(dirname "$0")/lib.sh"
source=$tree

including() { grep -nE "^#[[:space:]]*include[[:space:]]*[<\"]($1)[>\"]" $2; }

if command -v readelf >/dev/null; then
    nothing 'no CUDA library in the dynamic section' \
        sh -c "readelf -d '$GPUFILTER' >'$scratch/needed' 2>&1 && grep -q NEEDED '$scratch/needed' ||
                   cat '$scratch/needed'
               grep -E 'NEEDED.*(cuda|nv|cufft|cublas)' '$scratch/needed'"
else
    skip 'no readelf here'
fi

if [ ! -f "$source/src/main.c" ]; then
    skip 'no source here'
    finish
fi
cd "$source" || exit 99
code=$(find src filters kernels -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' |
    grep -vxE 'src/(registry|bench/groups)\.c' | sort)
sources="$code $(find tests -name '*.[ch]' -o -name '*.cu' | sort)"
nothing 'cuda_runtime.h only in kernels and the device' \
    including 'cuda[a-z_]*\.h' "$(echo "$code" | grep -E '\.[ch]$')"
nothing 'filters include only the headers of the chain for them' \
    sh -c "grep -n '^#include \"chain/' filters/* | grep -vE 'chain/(stage|option|option_mask|video)\.h'"
nothing 'only gpufilter-bench uses lessons and benchmarks' \
    grep -nE 'gf_lesson|lessons/|gf_bench_|"bench/' $(echo "$code" | grep -vE '^src/bench/|^kernels/lessons/')
nothing 'src names no particular filter' \
    sh -c 'for f in filters/*.c; do grep -o "^const struct gf_stage gf_stage_[a-z0-9_]*" $f; done | sed "s/.* //" |
           while read -r name; do grep -nw "$name" "$@"; done' - $(echo "$code" | grep '^src/')
nothing 'src names no particular format, except in its own files' \
    sh -c 'grep -rho --include=*.c "^const struct gf_file_format gf_file_format_[a-z0-9_]*" src/io/formats |
           sed "s/.* //" |
           while read -r name; do grep -nw "$name" "$@"; done' - \
               $(echo "$code" | grep '^src/' | grep -v '^src/io/formats/')
# The formats of errors: callers of the library get no advice after two semicolons.
cat >"$scratch/advice.awk" <<'END'
/gf_fail[a-z_]*\(/ { text = ""; open = 1; line = FNR }
open { text = text $0 }
open && /;[ \t]*(\/\*.*)?$/ {
    open = 0
    gsub(/"[ \t]*"/, "", text)
    if (text ~ /"[^";]*;[^";][^"]*( --| -[io] )/)
        print FILENAME ":" line ": " text
}
END
nothing 'advice with options of the command line has two semicolons' awk -f "$scratch/advice.awk" $code
# Their results differ between C libraries and devices. base/elementary.h has replacements. Costs change no result.
rounded='a?(sin|cos|tan)h?|sincos|(sin|cos|sincos)pi|atan2|exp(2|10|m1)?|log(2|10|1p)?|powi?|r?(cbrt|hypot)|rsqrt'
rounded="$rounded|erfc?|[lt]gamma|__(f?divide|exp|exp10|log|log2|log10|pow|sin|cos|sincos|tan|tanh)"
nothing 'no result depends on functions that libraries round differently' \
    awk -v name="(^|[^a-z0-9_])($rounded|__f(rsqrt|rcp)_[a-z]*)[fl]? ?[(]" '
        { line = $0; gsub(/"([^"\\]|\\.)*"/, "", line); sub(/\/\*.*/, "", line); sub(/^ \*.*/, "", line) }
        line ~ name && line !~ /\.light = / { print FILENAME ":" FNR ": " $0 }' \
    $(echo "$code" | grep -vE '^(src/bench|kernels/lessons)/')
nothing 'threads are started in one file, which states their stack' \
    grep -nw pthread_create $(echo "$code" | grep -v '^src/base/thread\.[ch]$')
nothing 'every file that HACKING.md and its pages name exists' \
    sh -c '{ grep -ohE "(src|kernels|filters|tests|man)/[a-z0-9_/-]+(\.[a-z0-9]+|/)" HACKING.md man/*.md
             grep -ohE "\`[a-z0-9_]+\.(c|h|cu|cuh)\`" HACKING.md man/*.md | tr -d "\`"; } | sort -u |
           while read -r file; do
               case $file in
               filters/boost.c | tests/stages/boost.sh | src/io/formats/farbfeld.c | kernels/pixel/stripes.* | \
               src/bench/cases/stripes.c)
                   continue ;;
               */*) [ -e "$file" ] || [ -e "$file.in" ] || echo "$file" ;;
               *) find src kernels filters -name "$file" | grep -q . || echo "$file" ;; esac
           done'
nothing 'the opening comment of every file of the program has a first sentence, which make files prints' \
    sh -c 'awk -f src/files.awk "$@" | grep "^  " | grep -v "^  [a-z0-9_]* [.a-z, ]*  *[-A-Za-z].* .*\.$"' - $code
if command -v "${CC:-cc}" >/dev/null; then
    sed -n '/^```c$/,/^```$/p' man/adding-a-stage.md man/adding-a-format.md | grep -v '^```' >"$scratch/stage.c"
    nothing 'the stage and the format that pages of man/ add compile' \
        sh -c '${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I. -Isrc -fsyntax-only "$0" 2>&1' "$scratch/stage.c"
    mkdir -p "$scratch/kernels/pixel"
    mkdir -p "$scratch/src/bench/cases"
    awk -v to="$scratch/" '/^```c (kernels|src)/ { file = to $2; next } /^```$/ { file = "" } file { print >file }' \
        man/adding-an-operation.md
    nothing 'the operation that a page of man/ adds and its cases compile' \
        sh -c '${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -I. -Isrc -I"$0" -fsyntax-only \
               "$0"/kernels/pixel/stripes.c "$0"/src/bench/cases/stripes.c 2>&1' "$scratch"
    nvcc="${NVCC:-nvcc} -std=c++17 -arch=sm_90 -fmad=false --compiler-options -Wall,-Wextra,-Werror"
    echo 'int main() { return 0; }' >"$scratch/none.cu"
    if $nvcc -c "$scratch/none.cu" -o "$scratch/none.o" 2>/dev/null; then
        nothing 'the CUDA body of the operation that a page of man/ adds compiles' \
            sh -c '"$@" -I. -Isrc -I"$0" -c "$0"/kernels/pixel/stripes.cu -o "$0/stripes.o" 2>&1' "$scratch" $nvcc
    else
        skip 'no nvcc here, or it does not support sm_90'
    fi
else
    skip 'no compiler here'
fi
sh src/sources.sh "$scratch/sources.mk"
nothing 'src/sources.sh lists every source of the program and every test' \
    sh -c 'lists=$1; shift
           for f in "$@" tests/*.sh tests/*.[ch] tests/*/*.sh tests/*/*.[ch]; do
               grep -qxE "[[:space:]]$f( .)?" "$lists" || echo "$f"; done' - "$scratch/sources.mk" $code
# The lists of sources that are compiled, with a new file of each kind
mkdir -p "$scratch/new/filters" "$scratch/new/.ci"
cp -r src kernels man samples "$scratch/new"
mkdir -p "$scratch/new/tests/stages"
: >"$scratch/new/Makefile.am"
new() { mkdir -p "$scratch/new/${1%/*}"; printf '%s\n' "$2" >"$scratch/new/$1"; }
new filters/new_stage.c '/* A stage. */'
new kernels/pixel/new_operation.c '/* An operation. */'
new kernels/pixel/new_operation.cu '/* Its body for a GPU. */'
new src/bench/cases/new_operation.c '/* Its cases. */'
new src/io/formats/new_format.c '/* A format. Built if HAVE_WEBP. */'
new tests/stages/new_test.sh '. "$(dirname "$0")/../lib.sh"'
new tests/stages/new_program.c 'int main(void) { return 0; }'
new tests/stages/new_program_part.c '/* A part of it. */'
sh "$scratch/new/src/sources.sh" "$scratch/new.mk"
is 'a new file of each kind comes into the lists' \
    "$(awk '/=/ { list = $1 } $1 ~ /\/new_/ { print list, $1 }' "$scratch/new.mk" | grep -v ^gf_files | sort)" \
    'gf_HAVE_WEBP src/io/formats/new_format.c
gf_cases src/bench/cases/new_operation.c
gf_cuda kernels/pixel/new_operation.cu
gf_sources filters/new_stage.c
gf_sources kernels/pixel/new_operation.c
gf_test_programs tests/stages/new_program
gf_test_scripts tests/stages/new_test.sh
tests_stages_new_program_SOURCES tests/stages/new_program.c
tests_stages_new_program_SOURCES tests/stages/new_program_part.c'
# A child process ends with an _exit() of its own.
nothing 'one exit() in each program' \
    sh -c 'grep -nE "[^_a-z](exit|_exit|abort) ?\([^)]*\);" "$@" |
        grep -vE "(bench_rates|stay/stay).c:[0-9]*: *_exit\(0\);"' - \
    $(echo "$code" | grep -E '\.c$' | grep -vE '^src/((bench/)?main|base/(leave|cpu_limit))\.c')
nothing 'every file opens with a comment' \
    sh -c 'for f in "$@"; do case $(head -c 2 "$f") in "/*") ;; *) echo "$f" ;; esac; done' - $sources
# The body of a function is between { and } in the first column.
nothing 'no file of more than 900 lines' \
    awk 'FNR == 901 { print FILENAME }' $sources
nothing 'no function of more than 50 lines' \
    awk 'FNR == 1 { start = 0 }
         /^[A-Za-z_].*\(/ { name = $0 }
         /^\{/ { start = FNR }
         /^\}/ && start > 0 { if (FNR - start >= 50) print FILENAME ": " FNR - start + 1 ": " name; start = 0 }' \
             $sources
# clang makes a global symbol for each function with clones, even if the function is static. A macro in a header makes
# names of its own for each file.
nothing 'functions with clones have unique names' \
    awk '/^GF_CLONES/ || (FILENAME ~ /\.h$/ && /^ +GF_CLONES/) {
                          line = $0; if (line !~ /\(/) getline line
                          if (match(line, /[a-zA-Z_0-9#]+\(/)) { name = substr(line, RSTART, RLENGTH - 1)
                              if (FILENAME ~ /\.h$/ && name !~ /#/) print FILENAME ": " name
                              if (name in seen && seen[name] != FILENAME) print FILENAME ": " name ", as in " seen[name]
                              seen[name] = FILENAME } }' $sources
# Older versions of clang call a function with clones by another name in its own file, and give it no name for others.
nothing 'functions with clones are static' \
    awk '/^ *GF_CLONES/ { line = $0; if (line !~ /\(/) getline line
                         if (line !~ /^ *(GF_CLONES )?static /) print FILENAME ": " line }' $sources
nothing 'no blanks at ends of lines, no tabs in code' \
    grep -nE '[[:space:]]+$|	' $sources
finish
