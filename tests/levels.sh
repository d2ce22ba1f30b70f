# Builds the program for the levels of x86-64 with gcc and clang, and compares the bytes of generated cases with those
# of this build. `make check-levels` calls it in the build folder, with MAKE in the environment:
#   levels.sh SOURCE [NAME...]
# A NAME is COMPILER, COMPILER-LEVEL or either with @MODEL. With a level (v1 to v4), the build uses this level's
# instructions everywhere, otherwise the loader chooses clones of functions. The program runs in qemu-x86_64, as MODEL,
# if there is one or this processor lacks the level. GPUFILTER_CASES is the number of cases.
source=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- gcc-v1 gcc-v2 gcc-v3 gcc-v4 gcc@qemu64 gcc@Nehalem gcc@Haswell \
    clang-v1 clang-v2 clang-v3 clang-v4 clang clang@Nehalem clang@Haswell
say() { printf '%s\n' "check-levels: $*"; }

# build COMPILER LEVEL FOLDER: LEVEL may be empty
build()
{
    case $2 in
    '') flags=-O3 ;;
    v1) flags='-O3 -march=x86-64 -DGF_NO_CLONES' ;;
    *) flags="-O3 -march=x86-64-$2 -DGF_NO_CLONES" ;;
    esac
    settings="$1 $flags $(./config.status --config)"
    if [ "$(cat "$3/settings" 2>/dev/null)" != "$settings" ]; then
        rm -rf "$3"
        mkdir -p "$3" || return 1
        eval "set -- \"\$@\" $(./config.status --config)"
        (
            cd "$3" && compiler=$1 && shift 3 &&
                "$source/configure" "$@" --srcdir="$source" --with-cuda=no CC="$compiler" CFLAGS="$flags" >configured
        ) || return 1
        printf '%s\n' "$settings" >"$3/settings"
    fi
    $MAKE -C "$3" tests/promises/call_many >"$3/built" 2>&1 || { tail -n 20 "$3/built"; return 1; }
}

# compare NAME FOLDER MODEL: MODEL may be empty
compare()
{
    program=$PWD/$2/tests/promises/call_many cases=${GPUFILTER_CASES:-2500}
    if [ -n "$3" ]; then
        printf '#!/bin/sh\nexec qemu-x86_64 -cpu %s %s "$@"\n' "$3" "'$program'" >"levels/$1.sh"
        chmod +x "levels/$1.sh"
        program=$PWD/levels/$1.sh cases=${GPUFILTER_CASES:-500}          # without FMA, they take minutes
    fi
    GPUFILTER_OTHER=$program GPUFILTER_CASES=$cases GPUFILTER_SKIP_UNMATCHED='' ./tests/promises/generated \
        >"levels/$1.log" 2>&1
    status=$?
    sed -n '/^not ok/,/^ok/p' "levels/$1.log" | grep -v '^ok'
    say "$1${3:+ as $3}: $(grep '^# .* differ$' "levels/$1.log" | tail -n 1 | cut -c 3-)"
    return $status
}

mkdir -p levels || exit 1
failed=
for name in "$@"; do
    build=${name%@*} model=
    case $name in *@*) model=${name#*@} ;; esac
    case $build in *-v[1-4]) level=${build##*-} ;; *) level= ;; esac
    if [ -z "$model" ] && [ "${level:-v1}" != v1 ] &&
        ! /lib64/ld-linux-x86-64.so.2 --help | grep -q "x86-64-$level (supported"; then
        case $level in v2) model=Nehalem ;; v3) model=Haswell ;; *)
            say "$name: neither this processor nor qemu-x86_64 has AVX-512"
            failed="$failed $name"
            continue ;;
        esac
    fi
    say "building $build"
    build "${build%-v[1-4]}" "$level" "levels/$build" && compare "$name" "levels/$build" "$model" ||
        failed="$failed $name"
done
say "$# builds and processors, failed:${failed:- none}"
[ -z "$failed" ]
