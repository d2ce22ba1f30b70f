# Tests of the test tools: ONLY selects cases, a failed case prints a command that repeats only this
# case, no two cases have one name, and nothing() notices a command that cannot run.
. "$(dirname "$0")/lib.sh"
[ -f "$tree/tests/one.sh" ] || skip_all 'no source here'
command -v make >/dev/null || skip_all 'no make here'
mkdir -p tests/room
cp "$tree/tests/lib.sh" tests

# A test with a name that needs quotes, and a program with the same cases.
odd='it'\''s "5 $HOME *[a-z] \n of #7", 100%'
cat >tests/room/broken.sh <<'END2'
. "$(dirname "$0")/../lib.sh"
is 'the first' 1 1
is "$ODD" 1 2
is 'the third' 1 2
touch made
is 'the last needs the one before' "$(ls made)" made
finish
END2
cat >tests/room/program.c <<'END2'
#include <stdlib.h>
#include "tests/tap.h"
int main(void)
{
    gf_ok(true, "the first");
    gf_is(1, 2, "%s", getenv("ODD"));
    gf_is(1, 2, "the third");
    return gf_tap_end();
}
END2
cat >Makefile <<END2
check-one:
	+@GPUFILTER_SKIP_UNMATCHED=1 MAKE='\$(MAKE)' srcdir=. \\
	sh '$tree/tests/one.sh' "\$\$T" -- $(echo tests/room/*.sh) \$(PROGRAMS)
all:
END2
ODD=$odd
export ODD
chosen=$ONLY                                     # the cases of this file, not those of the tests that it runs
unset GPUFILTER_SKIP_UNMATCHED GPUFILTER_PORTABLE ONLY MAKEFLAGS MAKELEVEL MFLAGS
ONLY=$chosen

# cases FILE: prints the lines of cases, the plan and the notes, without the commands.
cases() { grep -v '^# repeat: ' "$1" | tr '\n' ';'; }
# check_repeats NAME TEST: the commands printed in the file "all" run only the second and only the
# third case.
check_repeats()
{
    grep '^# repeat: ' all | sed 's/^# repeat: //' >commands
    is "$1: each failure prints a command" "$(wc -l <commands | tr -d ' ')" 2
    is "$1: the command names the test" "$(grep -c "^make check-one T=room/$2 ONLY='=" commands)" 2
    line=0
    for case in "$odd" 'the third'; do
        line=$((line + 1))
        sed -n ${line}p commands >command
        sh ./command >out 2>errors
        is "$1: the status of case $line is a failure" "$([ $? != 0 ] && echo failure)" failure
        is "$1: only case $line is repeated" "$(grep -v '^#' out)" "not ok 1 - $case
1..1"
        is "$1: case $line prints the same command" "$(sed -n 's/^# repeat: //p' out)" "$(cat command)"
    done
}

sh tests/room/broken.sh >all 2>&1
is 'all cases run without ONLY' "$(cases all)" \
    "ok 1 - the first;not ok 2 - $odd;# found:  1;# wanted: 2;not ok 3 - the third;# found:  1;# wanted: 2;"\
"ok 4 - the last needs the one before;1..4;"
check_repeats 'a script' broken.sh
ONLY='the last' sh tests/room/broken.sh >out
is 'a part of a name selects a case' "$(cases out)" 'ok 1 - the last needs the one before;1..1;'
ONLY='th[ei] ?i*t' sh tests/room/broken.sh >out
is 'a pattern for a part selects a case' "$(cases out)" 'ok 1 - the first;1..1;'
ONLY='*[a-z]' sh tests/room/broken.sh >out
is 'signs of patterns also mean themselves' "$(grep -c "^not ok .*\\*\\[a-z\\]" out)" 1
ONLY='=the' sh tests/room/broken.sh >out
is '"=" needs the whole name; a name without a case fails' "$(cases out)" 'not ok 1 - no case matches ONLY==the;1..1;'
ONLY='the fifth' GPUFILTER_SKIP_UNMATCHED=1 sh tests/room/broken.sh >out
is 'a test without the case is skipped among many tests' "$(cases out)" '1..0 # SKIP no case matches ONLY=the fifth;'
make check-one T=room/broken ONLY='the fifth' >out 2>errors
is 'a test without the case fails in a separate run' \
    "$? $(grep -c 'no case of room/broken matches ONLY=the fifth' errors)" '2 1'
make check-one T=room/broken ONLY=first >out 2>errors
is 'a case that passes is selected by make' "$? $(cases out)" '0 ok 1 - the first;1..1;'
make check-one T=room/brokne >out 2>errors
is 'the message has the wrong name, and the existing tests' "$? $(head -n 1 errors)" \
    "2 check-one: no test is called 'room/brokne'; T is one of: room/broken"
GPUFILTER_PORTABLE=1 sh tests/room/broken.sh >out
is 'a folder that runs elsewhere has its own command' "$(grep -c "^# repeat: ONLY='=.*' ./check room/broken$" out)" 2

cat >tests/room/strict.sh <<'END2'
. "$(dirname "$0")/../lib.sh"
is 'a name' 1 1
is 'a name' 1 1
skip 'one reason for two cases'
skip 'one reason for two cases'
nothing 'no match' grep absent /dev/null
nothing 'a match' grep finish "$here/strict.sh"
nothing 'an error' sh -c 'echo wrong >&2'
nothing 'a missing command' no-such-command
nothing 'a missing command in a pipe' sh -c 'no-such-command | grep word'
nothing 'a killed command in a pipe' sh -c 'sh -c "kill -9 \$\$" | grep word'
nothing 'a missing file, in silence' grep -s word /dev/null/missing
nothing 'no file' grep word
finish
END2
sh tests/room/strict.sh >out 2>errors
is 'a second case with the name of an earlier one fails' "$(sed -n '/^not ok 2 /,/^[^#]/p' out | cut -d , -f 1)" \
    'not ok 2 - a name
# An earlier case has this name
ok 3 - # SKIP one reason for two cases'
is 'only a command that runs and prints nothing passes as nothing' "$(grep '^ok \|^not ok ' out | tail -n 8)" \
    'ok 5 - no match
not ok 6 - a match
not ok 7 - an error
not ok 8 - a missing command
not ok 9 - a missing command in a pipe
not ok 10 - a killed command in a pipe
not ok 11 - a missing file, in silence
not ok 12 - no file'

if ${CC:-cc} -D_GNU_SOURCE -I"$tree" -I"$tree/src" -o tests/room/program tests/room/program.c \
    "$tree/tests/tap.c" 2>errors; then
    PROGRAMS=tests/room/program
    export PROGRAMS
    ./tests/room/program >all
    is 'a program: all run' "$(cases all)" \
        "ok 1 - the first;not ok 2 - $odd;# got 1, wanted 2;not ok 3 - the third;# got 1, wanted 2;1..3;"
    check_repeats 'a program' program
    ONLY='th[ei] ?i*t' ./tests/room/program >out
    is 'a program: a pattern for a part' "$(cases out)" 'ok 1 - the first;1..1;'
    ONLY='the fifth' ./tests/room/program >out
    is 'a program: a name without a case fails' "$? $(cases out)" '1 not ok 1 - no case matches ONLY=the fifth;1..1;'
    ONLY='the fifth' GPUFILTER_SKIP_UNMATCHED=1 ./tests/room/program >out
    is 'a program: among many tests it is skipped' "$? $(cases out)" '0 1..0 # SKIP no case matches ONLY=the fifth;'
    GPUFILTER_PORTABLE=1 ./tests/room/program >out
    is 'a program: the command of a folder that runs elsewhere' \
        "$(grep -c "^# repeat: ONLY='=.*' ./check room/program$" out)" 2
    mv tests/room/program tests/room/broken
    make check-one T=tests/room/broken.sh ONLY='the first' PROGRAMS=tests/room/broken >out 2>errors
    is 'a script is selected by its path, without the program' "$? $(cases out)" '0 ok 1 - the first;1..1;'
    make check-one T=room/broken ONLY='the last' PROGRAMS=tests/room/broken >out 2>errors
    is 'a program and a script of one name: a case of the script' "$? $(cases out)" \
        '0 ok 1 - the last needs the one before;1..1;1..0 # SKIP no case matches ONLY=the last;'
else
    skip 'no compiler here'
fi
finish
