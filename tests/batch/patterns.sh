# Folders and patterns: the order of their files.
. "$(dirname "$0")/lib_numbers.sh"

# order ARGUMENT...: prints the values of the inputs in the order of their numbers.
order()
{
    rm -rf numbered
    gf "$@" -t pnm -o 'numbered/{n:3}.pgm' 2>errors
    for file in numbered/*; do
        tail -c 1 "$file" | od -An -tu1 | tr -d ' \n'
        printf ' '
    done
}

# ---- numbers in names ----
mkdir in
number in/IMG_1.pgm in/IMG_01.pgm in/IMG_001.pgm in/IMG_2.pgm in/IMG_002b.pgm in/IMG_9.pgm in/IMG_10.pgm \
    in/IMG_00010.pgm in/IMG_10a1.pgm in/IMG_10a02.pgm in/IMG_99999999999999999998.pgm in/IMG_99999999999999999999.pgm \
    in/IMG_100000000000000000000.pgm in/IMG_a.pgm in/Z.pgm in/a.pgm in/a0.pgm in/a00.pgm in/a0b.pgm in/b.pgm
sorted='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 '
is 'files of a folder are in the order of their numbers' "$(order -i in)" "$sorted"
is 'files of a pattern are in the order of their numbers' "$(order -i 'in/*.pgm')" "$sorted"
is 'files of a pattern are in the same order in every locale' "$(LC_ALL=C.UTF-8 order -i 'in/*.pgm')" "$sorted"
mkdir days days/2 days/10 days/10-b
number days/2/b7.pgm days/2/b70.pgm days/10-b/1.pgm days/10/b7.pgm days/10/b70.pgm
is 'folders of a pattern are in the order of their numbers' "$(order -i 'days/*/*.pgm')" '1 2 3 4 5 '
printf '%s\n' in/b.pgm in/IMG_10.pgm in/IMG_2.pgm >list
is 'a list keeps its order' "$(order --files-from list)" '20 7 4 '
is 'a part keeps the numbers' "$(order -i in --shard 2/7; ls numbered | tr '\n' ' ')" \
    '2 9 16 002.pgm 009.pgm 016.pgm '
gf -i 'in/IMG_[129]*.pgm' stats >table.tsv
is 'a table has the same order' "$(cut -f 1 table.tsv | uniq | sed 1d | tr '\n' ' ')" \
    'in/IMG_1.pgm in/IMG_2.pgm in/IMG_9.pgm in/IMG_10.pgm in/IMG_10a1.pgm in/IMG_10a02.pgm '\
'in/IMG_99999999999999999998.pgm in/IMG_99999999999999999999.pgm in/IMG_100000000000000000000.pgm '

finish
