#!/bin/sh
# Builds and runs one test, the program and the script of its name. Its TAP goes to standard output:
#   one.sh NAME TOOL... -- TEST...    (called by make check-one)
# The status is 0 if all cases pass and, if ONLY is set, at least one case matches.
name=${1#tests/} tools=
shift
while [ "$1" != -- ]; do
    tools="$tools $1"
    shift
done
shift

chosen= programs= near= room= all=
for test; do
    known=${test#tests/} stem=${test#tests/} stem=${stem%.sh}
    case $name in
    "$known" | "$stem")
        chosen="$chosen $test"
        [ "$known" != "$stem" ] || programs="$programs $test" ;;
    esac
    case $stem in *"${name##*/}"*) near="$near $stem" ;; esac
    case $stem in "${name%/*}"/*) room="$room $stem" ;; esac
    all="$all $stem"
done
if [ -z "$chosen" ]; then
    echo "check-one: no test is called '$name'; T is one of:" $(echo ${near:-${room:-$all}} | tr ' ' '\n' | sort -u) >&2
    exit 2
fi

# Messages of the build go to standard error.
${MAKE:-make} -s --no-print-directory all $tools $programs >&2 || exit
logs=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-one.XXXXXX") || exit 99
trap 'rm -rf "$logs"' EXIT
trap 'exit 1' HUP INT TERM
failed= cases=0
for test in $chosen; do
    {
        case $test in
        *.sh) sh "${srcdir:-.}/$test" 2>&1 ;;
        *) "./$test" 2>&1 ;;
        esac
        echo $? >"$logs/status"
    } | tee "$logs/log"
    plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$logs/log")
    ran=$(grep -acE '^(not )?ok ' "$logs/log")
    cases=$((cases + ran))
    [ "$(cat "$logs/status")" = 0 ] && [ "$ran" = "$plan" ] && ! grep -aq '^not ok ' "$logs/log" || failed=yes
done
if [ -n "$ONLY" ] && [ $cases = 0 ] && [ -z "$failed" ]; then
    echo "check-one: no case of $name matches ONLY=$ONLY" >&2
    failed=yes
fi
[ -z "$failed" ]
