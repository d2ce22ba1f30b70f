# Folders and patterns: the order of their files, and ** with the command that replaces it.
. "$(dirname "$0")/../lib.sh"

# number FILE...: writes images of one pixel, whose value is the place of its name.
number()
{
    place=0
    for file; do
        place=$((place + 1))
        printf 'P2 1 1 255 %d\n' $place >"$file"
    done
}

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

# ---- folders in folders ----
quoted="it's \$HOME"
mkdir -p deep/photos/a/raw deep/photos/b/raw/c deep/photos/.hidden "deep/$quoted/x y" deep/-x/y
cd deep || exit 99
number photos/1.pgm photos/a/10.pgm photos/a/2.pgm photos/a/raw/3.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm \
    photos/.hidden/6.pgm photos/a/.7.pgm "$quoted/8.pgm" "$quoted/x y/9.pgm" "$quoted/x y/[10].pgm" \
    -x/11.pgm -x/y/12.pgm
cp photos/1.pgm photos/a/raw/n.txt
ln -s ../../a/2.pgm photos/b/raw/link.pgm

# deep PATTERN FILE...: tests that the command in the error about a pattern names exactly these files.
deep()
{
    pattern=$1
    shift
    gf -i "$pattern" invert -o never/ 2>errors
    status=$?
    command=$(sed -n 's/^gpufilter: .*: \*\* does not search folders in folders; use: \(.*\) \.\.\.$/\1/p' errors)
    found=$(PATH=$scratch/bin:$PATH sh -c "$command" 2>&1)
    is "${pattern#"$scratch/"}: an error with a command for its files" "$status $(wc -l <errors | tr -d ' ') $found" \
        "2 1 $(printf '%s\n' "$@")"
}
mkdir ../bin
cat >../bin/gpufilter <<'END'
#!/bin/sh
[ "$*" = '--files-from - -0' ] && tr '\0' '\n'
END
chmod +x ../bin/gpufilter
deep 'photos/**/*.pgm' photos/1.pgm photos/a/2.pgm photos/a/10.pgm photos/a/raw/3.pgm photos/b/raw/4.pgm \
    photos/b/raw/c/5.pgm photos/b/raw/link.pgm
deep 'photos/**/[!5-9].pgm' photos/1.pgm photos/a/2.pgm photos/a/raw/3.pgm photos/b/raw/4.pgm
deep 'photos/a/**' photos/a/2.pgm photos/a/10.pgm photos/a/raw/3.pgm photos/a/raw/n.txt
deep '../deep/photos/a/**/*' ../deep/photos/a/2.pgm ../deep/photos/a/10.pgm ../deep/photos/a/raw/3.pgm \
    ../deep/photos/a/raw/n.txt
deep '../deep/../deep/photos/**/1*' ../deep/../deep/photos/1.pgm ../deep/../deep/photos/a/10.pgm
deep "$PWD/photos/.hidden/**/*.pgm" "$PWD/photos/.hidden/6.pgm"
deep 'photos/**/.*' photos/a/.7.pgm
deep '**/1?.pgm' ./photos/a/10.pgm ./-x/11.pgm ./-x/y/12.pgm
deep '-x/**/*.pgm' ./-x/11.pgm ./-x/y/12.pgm
deep "$quoted/**/*.pgm" "$quoted/8.pgm" "$quoted/x y/9.pgm" "$quoted/x y/[10].pgm"
deep "$quoted/**/\\[*.pgm" "$quoted/x y/[10].pgm"
is 'an error about a pattern writes no output' "$(ls -d never 2>/dev/null)" ''
gf -i 'photos/**/?.pgm' 2>errors
command=$(sed 's/.*; use: //; s/ gpufilter .*//' errors)
is 'the command works with gpufilter' "$(sh -c "$command cat" | gf --files-from - -0 stats -o table.tsv 2>&1 &&
    cut -f 1 table.tsv | uniq | sed 1d | tr '\n' ' ')" \
    'photos/1.pgm photos/a/2.pgm photos/a/raw/3.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm '
mkdir -p "only $quoted/photos"
cp photos/1.pgm "only $quoted/photos/"
gf -i "only $quoted" invert -o never/ 2>errors
command=$(sed -n 's/^gpufilter: .*, which -i does not search; use: \(.*\) \.\.\.$/\1/p' errors)
is 'a folder of folders has such a command' "$(PATH=$scratch/bin:$PATH sh -c "$command")" "only $quoted/photos/1.pgm"
refuses 1 'photos/x\*\*y.pgm: matches no file' 'two asterisks inside a name are one' gf -i 'photos/x**y.pgm' -o never/
mkdir '**'
cp photos/1.pgm '**/1.pgm'
works 'a file with ** in its name' gf -i '**/1.pgm' -o one.pgm
works 'a folder with ** in its name' gf -i '**' -o one/
long=$(printf '%0300d' 0)
for pattern in "photos/$long/**/*$long" 'photos/**/raw/*.pgm' 'ph*/**/?.pgm' 'photos/\[a]/**'; do
    gf -i "$pattern" 2>errors
    is "$pattern: an error that shows how to use find" "$(sed 's/.*use: //' errors)" \
        'find ... -print0 | gpufilter --files-from - -0 ...'
done

finish
