#!/bin/sh
# Measures which lines of src/io the corpora run, with gcc and gcov, in a folder of the build folder:
#   coverage.sh SOURCE FOLDER [PART]    (called by make fuzz-coverage)
# PART is the part of the tree, src/io by default. Lines that only failing memory, disks or threads
# reach do not count: a line that reports such a failure, and the lines after it up to the end of
# its block. The table shows the share of each file, and the last line the total. The file `lines`
# has the lines that no input reached.
source=$(cd "$1" && pwd) folder=$2 part=${3:-src/io}

mkdir -p "$folder" && cd "$folder" || exit 1
if [ ! -f Makefile ]; then
    "$source/configure" --srcdir="$source" --with-cuda=no CC="${CC:-gcc}" CFLAGS='-O0 -g --coverage' >configured ||
        exit 1
fi
${MAKE:-make} tests/fuzz/replay >made || exit 1
find . -name '*.gcda' -exec rm -f {} +
rm -rf corpus
sh "$source/tests/fuzz/unpack.sh" corpus || exit 1
for corpus in corpus/*; do
    tests/fuzz/replay "${corpus##*/}" "$corpus" 2>errors || { tail -n 20 errors; exit 1; }
done
rm -rf gcov
mkdir gcov
find "./$part" -name '*.gcno' | sed 's/.*/"&"/' | xargs gcov -p >gcov/log 2>&1
mv ./*.gcov gcov/
awk '
# A block ends at the first line that is indented less than the failure.
function indent(text) { match(text, /^ */); return RLENGTH }
FNR == 1 { file = ""; failing = -1 }
/^ *-: *0:Source:/ { file = $0; sub(/.*Source:/, "", file) }
index(file, part) == 0 || file ~ /\.h$/ { next }
{
    name = file
    sub(".*" part "/", "", name)
    count = $0
    sub(/:.*/, "", count)
    gsub(/ /, "", count)
    line = $0
    sub(/^[^:]*: *[0-9]+:/, "", line)
    if (failing >= 0 && line !~ /^ *$/ && (indent(line) < failing || line ~ /^[^ ]/))
        failing = -1
    if (line ~ /gf_fail_memory|strerror\(errno\)|fail_errno|fail_memory/ && line !~ /^(static )?int /)
        failing = indent(line)
    if (count == "-")
        next
    if (count ~ /^[#=]/ && failing >= 0) {
        excused[name]++
        next
    }
    all[name]++
    if (count ~ /^[#=]/)
        print name ":" line >"lines"
    else
        run[name]++
}
END {
    for (name in all) {
        printf "%5.1f %%  %4d of %4d, %3d excused  %s\n", 100 * run[name] / all[name], run[name], all[name],
               excused[name], name
        total += all[name]; reached += run[name]; left += excused[name]
    }
    printf "%5.1f %%  %4d of %4d, %3d excused  all of %s\n", 100 * reached / total, reached, total, left, part
}' part="$part" gcov/*.gcov | sort -n -k 1 >table
grep -v ' all of ' table
grep ' all of ' table
