# Shared by all test scripts, which source it first: TAP, a scratch folder, small signals. GPUFILTER
# names the program, GPUFILTER_SAMPLES the folder of samples. With ONLY, other cases run too, but
# report nothing. With GPUFILTER_SKIP_UNMATCHED, a file without a matching case is skipped instead
# of failed.
LC_ALL=C
export LC_ALL
GPUFILTER=${GPUFILTER:-$PWD/gpufilter}
GPUFILTER_SAMPLES=${GPUFILTER_SAMPLES:-$PWD/samples}
here=$(cd "$(dirname "$0")" && pwd)
tree=${here%/tests*}                             # the folder that tests/ is in
scratch=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-test.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 99
XDG_CACHE_HOME=$scratch/user-cache               # keeps the user's own cache unchanged
XDG_CONFIG_HOME=$scratch/user-config
XDG_CONFIG_DIRS=$scratch/system-config
export XDG_CACHE_HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS
tests=0 failures=0
line_end='
'
used_names=$line_end                             # of the cases so far, each on its own line

gf() { "$GPUFILTER" "$@"; }

# is_chosen NAME: ONLY is empty, a part of the name, a pattern for a part of it, or "=" and the
# whole name.
is_chosen()
{
    case $ONLY in
    '') return 0 ;;
    =*) [ "=$1" = "$ONLY" ]; return ;;
    esac
    case $1 in
    *"$ONLY"* | *$ONLY*) return 0 ;;
    esac
    return 1
}

# report RESULT NAME: prints a line of TAP. If the case is not chosen, the line and the note after
# it are not printed. A name that an earlier case has is a failure, because ONLY could not choose one of them.
report()
{
    reported=
    is_chosen "$2" || return
    reported=yes
    tests=$((tests + 1))
    case $2 in '# SKIP '*) printf '%s %s - %s\n' "$1" $tests "$2"; return ;; esac
    case $used_names in
    *"$line_end$2$line_end"*)
        failures=$((failures + 1))
        printf 'not ok %s - %s\n# An earlier case has this name, too. This one was %s.\n' $tests "$2" "$1"
        return ;;
    esac
    used_names=$used_names$2$line_end
    printf '%s %s - %s\n' "$1" $tests "$2"
}
pass() { report ok "$*" || :; }
fail()
{
    report 'not ok' "$*" || return 0
    failures=$((failures + 1))
    repeat "$*" | note
}
note() { if [ -n "$reported" ]; then sed 's/^/# /'; else cat >/dev/null; fi; }

# repeat NAME: prints the command that runs one case of this file again. make replaces $$ by $.
repeat()
{
    this=${here#"$tree"/}/${0##*/}
    this=${this#tests/}
    quoted=$(printf '=%s.' "$1" | sed "s/'/'\\\\''/g")
    quoted="ONLY='${quoted%.}'"
    if [ -n "$GPUFILTER_PORTABLE" ]; then
        printf 'repeat: %s ./check %s\n' "$quoted" "${this%.sh}"
    else
        printf 'repeat: make check-one T=%s %s\n' "$this" "$quoted" | sed 's/\$/$$/g'
    fi
}

# skip WHY: skips one test, usually because another program is missing. For a missing GPU call
# need_cuda.
skip() { report ok "# SKIP $*" || :; }

# skip_all WHY: skips the whole file.
skip_all() { echo "1..0 # SKIP $*"; exit 0; }

# no_sanitizer WHY: skips the whole file if the program has a sanitizer, which --version names.
no_sanitizer() { ! gf --version | grep -q '^sanitizer: ' || skip_all "under a sanitizer: $*"; }

# Ends the file without a python3; otherwise it finds the package and the library of this build.
need_python()
{
    command -v python3 >/dev/null || skip_all 'no python3 here'
    no_sanitizer 'a python3 without it cannot open the library'
    GPUFILTER_LIBRARY=${1:-$(dirname "$GPUFILTER")/libgpufilter.so.0}
    PYTHONPATH=$tree/src/python
    PYTHONDONTWRITEBYTECODE=1
    PYTHONIOENCODING=utf-8
    export GPUFILTER GPUFILTER_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE PYTHONIOENCODING
    unset PYTHONWARNINGS
}

# python_cases SCRIPT [LIBRARY]: runs a script of this folder among the samples, and reports the cases that it prints.
python_cases()
{
    [ -f "$here/$1" ] || skip_all "there is no $1 here"
    need_python ${2:+"$2"}
    cp "$GPUFILTER_SAMPLES"/* .
    "${python:-python3}" -W ignore "$here/$1" >cases 2>errors || :
    note <errors
    while read -r line; do
        name=${line#*- }
        case $line in
        'ok '*) pass "$name" ;;
        'not ok '*) fail "$name" ;;
        '#'*) printf '%s\n' "$line" | note ;;
        esac
    done <cases
    is "the script $1 ends" "$(tail -n 1 cases | cut -c 1-3)" 1..
}

finish()
{
    if [ $tests = 0 ] && [ -n "$ONLY" ]; then
        why="no case matches ONLY=$ONLY"
        [ -z "$GPUFILTER_SKIP_UNMATCHED" ] || skip_all "$why"
        ONLY=
        report 'not ok' "$why"
    fi
    echo "1..$tests"
    exit 0
}

# works NAME COMMAND...: tests that the command succeeds and prints nothing on standard error,
# except notes about created folders.
works()
{
    name=$1
    shift
    if "$@" >out 2>errors && ! grep -qv '^gpufilter: note: created folder ' errors; then
        pass "$name"
    else
        fail "$name"
        { echo "$*"; cat errors; } | note
    fi
}

# refuses STATUS PATTERN NAME COMMAND...: tests the exit status, and that standard error is one line
# that matches PATTERN (grep).
refuses()
{
    want=$1 pattern=$2 name=$3
    shift 3
    "$@" >out 2>errors </dev/null
    status=$?
    if [ $status = "$want" ] && [ "$(wc -l <errors)" = 1 ] && grep -q -- "$pattern" errors; then
        pass "$name"
    else
        fail "$name"
        { echo "$*: status $status, wanted $want and a line with '$pattern'"; cat errors; } | note
    fi
}

samples() { gf -q -i "$1" -t raw:type=f32 -o - | od -An -v -tf4 -w4; }

# has_agreement FILE LARGEST: tests that ours/FILE and theirs/FILE differ at most by "identical", "N
# steps", "N dB PSNR", "N dB" or "N LU"; reports what was measured in measured.txt.
has_agreement()
{
    case $1 in
    *.png) gf -q -i "ours/$1" "compare:theirs/$1" >measured.txt 2>&1 || return
           awk -v want="$2" 'END { split(want, w, " "); steps = $5 * 255 - 1e-3
               exit want == "identical" ? $5 != 0 : w[2] ~ /^step/ ? steps > w[1] : !($3 == "inf" || $3 >= w[1]) }' \
                   measured.txt ;;
    *) for side in ours theirs; do
           samples "$side/$1" >$side.txt
           gf -q -i "$side/$1" stats -t json >$side.json
       done
       [ "$(wc -l <ours.txt)" = "$(wc -l <theirs.txt)" ] || { wc -l ours.txt theirs.txt >measured.txt; return 1; }
       lufs=$(cat ours.json theirs.json | tr ',' '\n' | sed -n 's/.*"lufs": *//p' | tr '\n' ' ')
       paste ours.txt theirs.txt | awk -v want="$2" -v lufs="$lufs" '
           { d = $1 - $2; sum += d * d }
           END { rms = 10 * log(sum / NR + 1e-30) / log(10); n = split(lufs, l, " "); apart = l[1] - l[n]
                 print "RMS of the difference " rms " dB, loudness " lufs >"measured.txt"
                 split(want, w, " "); sub(/^[^0-9]*/, "-", w[1])
                 exit want == "identical" ? sum > 0 : w[2] == "LU" ? apart * apart > w[1] * w[1] : rms > w[1] + 0 }' ;;
    esac
}

# same A B NAME: tests that the files contain the same bytes.
same()
{
    if cmp "$1" "$2" >differs 2>&1; then
        pass "$3"
    else
        fail "$3"
        note <differs
    fi
}

# is NAME FOUND WANTED: tests that both texts are equal.
is()
{
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1"
        { echo "found:  $2"; echo "wanted: $3"; } | note
    fi
}

# nothing NAME COMMAND...: tests that the command runs and prints nothing, neither results nor errors. Status 1 is fine:
# grep has no match then. Standard input cannot be read, so a command without files to read is a failure.
nothing()
{
    name=$1
    shift
    "$@" >"$scratch/found" 2>&1 0>/dev/null
    status=$?
    if [ $status -le 1 ] && [ ! -s "$scratch/found" ]; then
        pass "$name"
    else
        fail "$name"
        { echo "status $status"; head -n 40 "$scratch/found"; } | note
    fi
}

# image FILE WIDTH HEIGHT CHANNELS MAXVAL SEED: writes noise over a gradient; PGM, PPM, or PAM for 2
# and 4 channels.
image()
{
    ${AWK:-awk} -v w="$2" -v h="$3" -v c="$4" -v m="$5" -v seed="$6" 'BEGIN {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        if (c == 1 || c == 3)
            printf "P%d\n%d %d\n%d\n", c == 1 ? 5 : 6, w, h, m
        else
            printf "P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL %d\nTUPLTYPE %s\nENDHDR\n", w, h, c, m, \
                   c == 4 ? "RGB_ALPHA" : m == 1 ? "BLACKANDWHITE_ALPHA" : "GRAYSCALE_ALPHA"
        seed = seed * 7919 + 17
        for (y = 0; y < h; y++) {
            line = ""
            for (x = 0; x < w; x++)
                for (i = 0; i < c; i++) {
                    seed = seed * 16807 % 2147483647
                    v = int(m * ((x + i) / (w + c) * .5 + .5 * seed / 2147483647) + .5)
                    if (i == c - 1 && c % 2 == 0 && seed % 5 < 2)
                        v = seed % 5 == 0 ? 0 : m           # some transparent and opaque pixels, too
                    line = line (m > 255 ? C[int(v / 256)] : "") C[v % 256]
                }
            printf "%s", line
        }
    }' >"$1"
}

# sound FILE FRAMES CHANNELS SEED: writes a WAV of 16 bits, noise over a slow wave.
sound()
{
    ${AWK:-awk} -v n="$2" -v c="$3" -v seed="$4" '
    function le(v, bytes,    s) { for (s = ""; bytes-- > 0; v = int(v / 256)) s = s C[v % 256]; return s }
    BEGIN {
        for (i = 0; i < 256; i++)
            C[i] = sprintf("%c", i)
        printf "RIFF%sWAVEfmt %s%s%s%s%s%s%sdata%s", le(36 + n * c * 2, 4), le(16, 4), le(1, 2), le(c, 2), \
               le(48000, 4), le(96000 * c, 4), le(2 * c, 2), le(16, 2), le(n * c * 2, 4)
        seed = seed * 7919 + 17
        for (f = 0; f < n; f++)
            for (i = 0; i < c; i++) {
                seed = seed * 16807 % 2147483647
                v = int(16000 * sin(f * .01 * (i + 1)) + 32000 * (seed / 2147483647 - .5))
                printf "%s", le(v < 0 ? v + 65536 : v, 2)
            }
    }' >"$1"
}

# Returns whether `convert` is ImageMagick's; other programs have this name, too.
have_convert() { convert -version 2>/dev/null | grep -q ImageMagick; }

# Returns whether CUDA can be used; the reason for a failure is in $why_no_cuda.
have_cuda()
{
    image probe.pgm 2 2 1 255 1
    why_no_cuda=$(gf --device cuda -i probe.pgm invert -o probe-out.pgm 2>&1) && return 0
    why_no_cuda=${why_no_cuda:-no reason given}
    return 1
}

# Ends the file if there is no GPU: skips it, or fails if a GPU is required.
need_cuda()
{
    have_cuda && return 0
    if [ -n "$GPUFILTER_REQUIRE_CUDA" ] && [ "$GPUFILTER_REQUIRE_CUDA" != 0 ]; then
        ONLY=
        fail "a GPU is required: $why_no_cuda"
        finish
    fi
    skip_all "$why_no_cuda"
}

# serve_calls: from here on, one process makes all calls of gf (tests/promises/call_many.c), so that a GPU starts only
# once. Changes GPUFILTER. Of two commands in one pipe, only one may be a call.
serve_calls()
{
    many=$(dirname "$GPUFILTER")/tests/promises/call_many
    GPUFILTER_CALLS=$scratch/calls.socket
    # It ends with its parent, which must be this shell and not one for a list of commands.
    "$many" --serve "$GPUFILTER_CALLS" </dev/null >/dev/null &
    while [ ! -S "$GPUFILTER_CALLS" ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
    if [ ! -S "$GPUFILTER_CALLS" ]; then
        ONLY=
        fail "$many does not serve calls"
        finish
    fi
    GPUFILTER=$many
    export GPUFILTER GPUFILTER_CALLS
}

# choose_device: sets the device to that of the test, $GPUFILTER_TEST_DEVICE, and skips the file without it. With
# GPUFILTER_TEST_MANY, one process makes all calls, even on a CPU.
choose_device()
{
    device=${GPUFILTER_TEST_DEVICE:-cpu}
    [ "$device" = cpu ] || need_cuda
    [ "$device" = cpu ] && [ -z "$GPUFILTER_TEST_MANY" ] || serve_calls
}
