# Folders in folders: -R and ** find their files, and outputs keep the tree.
. "$(dirname "$0")/lib_numbers.sh"

# found ARGUMENT...: prints the inputs in their order.
found()
{
    gf "$@" stats -o found.tsv 2>errors || { cat errors; return; }
    cut -f 1 found.tsv | uniq | sed 1d | tr '\n' ' '
}

# tree FOLDER: prints its files.
tree() { (cd "$1" && find . ! -type d | sed 's/^..//' | sort | tr '\n' ' '); }

quoted="it's \$HOME"
mkdir -p photos/a/raw photos/b/raw/c photos/.hidden "$quoted/x y" photos/10
number photos/1.pgm photos/a/10.pgm photos/a/2.pgm photos/a/raw/3.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm \
    photos/.hidden/6.pgm photos/a/.7.pgm "$quoted/8.pgm" "$quoted/x y/[10].pgm" photos/10/9.pgm photos/2.pgm
all='photos/1.pgm photos/2.pgm photos/10/9.pgm photos/a/2.pgm photos/a/10.pgm photos/a/raw/3.pgm photos/b/raw/4.pgm '\
'photos/b/raw/c/5.pgm '
below='1.pgm 10/9.pgm 2.pgm a/10.pgm a/2.pgm a/raw/3.pgm b/raw/4.pgm b/raw/c/5.pgm '

# ---- which files

is '-R finds the files of all folders, except hidden ones' "$(found -R -i photos)" "$all"
is '--recursive is -R' "$(found --recursive -i photos/)" "$all"
is 'a pattern with ** does so, too' "$(found -i 'photos/**')" "$all"
is '** may be no folder' "$(found -i 'photos/**/2.pgm')" 'photos/2.pgm photos/a/2.pgm '
is '** in the middle' "$(found -i 'photos/**/raw/*.pgm')" 'photos/a/raw/3.pgm photos/b/raw/4.pgm '
is '** before and after a folder' "$(found -i 'photos/**/raw/**')" \
    'photos/a/raw/3.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm '
is 'two ** are one' "$(found -i 'photos/**/**/[34].pgm')" 'photos/a/raw/3.pgm photos/b/raw/4.pgm '
is '** at the beginning' "$(found -i '**/[58].pgm')" "$quoted/8.pgm photos/b/raw/c/5.pgm "
is 'a pattern before **' "$(found -i 'p*/[ab]/**/[!2].pgm')" \
    'photos/a/raw/3.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm '
is 'other characters in names' "$(found -i "$quoted/**/\\[*")" "$quoted/x y/[10].pgm "
is 'hidden files need a dot in the pattern' "$(found -i 'photos/**/.*')" 'photos/a/.7.pgm '
is 'a hidden folder that is named' "$(found -R -i photos/.hidden)" 'photos/.hidden/6.pgm '
is '-R searches the folders that a pattern matches' "$(found -R -i 'photos/[b1]*')" \
    'photos/1.pgm photos/10/9.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm '
is '-R and a file' "$(found -R -i photos/1.pgm -i photos/b)" 'photos/1.pgm photos/b/raw/4.pgm photos/b/raw/c/5.pgm '
refuses 1 'photos/\*\*/\*.png: matches no file' 'a pattern without a match' gf -i 'photos/**/*.png' invert -o never/
refuses 1 'none/: No such file' 'a folder before ** that is missing' \
    gf -i 'none/**' invert -o never/
refuses 1 'photos/b: contains no image or audio files, only 1 folder; add -R to search it' 'a folder of folders' \
    gf -i photos/b invert -o never/
gf -i photos invert -o flat/ 2>errors
is 'without -R a warning counts the folders' \
    "$(grep -c 'skipped 3 folders.*add -R to search them' errors) $(tree flat)" \
    '1 1.pgm 2.pgm '
refuses 1 'is a folder, and --untrusted does not search' '--untrusted has no -R' gf --untrusted -R -i photos -o never/
mkdir '**'
cp photos/1.pgm '**/1.pgm'
works 'a file with ** in its name' gf -i '**/1.pgm' -o one.pgm
works 'a folder with ** in its name' gf -i '**' -o single/
rm -r '**' single one.pgm
refuses 1 'photos/x\*\*y.pgm: matches no file' 'two asterisks inside a name are one' gf -i 'photos/x**y.pgm' -o never/

# ---- names of outputs

works '-R into a folder' gf -R -i photos invert -o inv/
is 'the folder has the tree' "$(tree inv)" "$below"
is 'each output is that of its input' "$(tail -c 1 inv/b/raw/c/5.pgm | od -An -tu1 | tr -d ' ')" 249
works '** into a folder' gf -i 'photos/**/*.pgm' invert --to png -o png/
is 'the folder has the tree below what is before **' "$(tree png)" "$(printf '%s' "$below" | sed 's/pgm/png/g')"
works '{dir} is relative to the folder' gf -R -i photos invert -o 'dirs/{dir}/{stem}-x.pgm'
is 'the files of {dir}' "$(tree dirs)" "$(printf '%s' "$below" | sed 's/\.pgm/-x.pgm/g')"
works '{n} counts through the tree' gf -R -i photos -o 'n/{n}.pgm'
is 'the third is that of a folder' "$(tail -c 1 n/3.pgm | od -An -tu1 | tr -d ' ')" 11
works 'a tee keeps the tree' gf -R -i photos 'tee:tees/{dir}/{stem}.pgm' invert -o inv/
is 'the files of the tee' "$(tree tees)" "$below"
works 'a second image from another tree' gf -R -i photos 'diff:inv/{dir}/{stem}.pgm' -o diff/
is 'it is that of the same place' "$(tail -c 1 diff/a/raw/3.pgm | od -An -tu1 | tr -d ' ')" 247
cp -r photos beside
works 'a pattern that begins with {dir} is beside the input' gf -R -i beside invert -o '{dir}/{stem}-x.pgm'
is 'beside the input' "$(ls beside/a)" "$(printf '10-x.pgm\n10.pgm\n2-x.pgm\n2.pgm\nraw')"
mkdir one two same
cp photos/1.pgm one
cp photos/1.pgm two
refuses 2 'one/1.pgm and two/1.pgm would both be written to same/1.pgm' 'two trees with one name' \
    gf -R -i one -i two -o same/
works 'two trees without one' gf -R -i photos/a -i photos/b -o 'both/{n}-{stem}.pgm'
cp -r photos place
gf -R -i place invert -o place/ 2>errors
is 'outputs that replace their inputs' \
    "$(tail -c 1 place/a/2.pgm | od -An -tu1 | tr -d ' ') $(grep -c 'replace' errors) $(
        tree place | wc -w | tr -d ' ')" '252 1 10'
works '-R with tiles' gf -R -i photos tile:1 -o 'tiles/{dir}/{stem}/{x}-{y}.pgm'
is 'tiles have the tree' "$(tree tiles | tr ' ' '\n' | sed -n 1,2p | tr '\n' ' ')" '1/0-0.pgm 10/9/0-0.pgm '
gf -q -R -i photos --shard 2/3 invert -o shard/
is 'a shard of a tree' "$(tree shard)" '2.pgm a/10.pgm b/raw/c/5.pgm '
works 'a first --update of a tree' gf -R --update -i photos invert -o up/
touch -d 2000-01-01 up/a/2.pgm
gf -v -R --update -i photos invert -o up/ >out.txt 2>errors
is '--update of a tree' "$(grep -c ' -> ' errors) $(grep -c 'outputs up to date: 7' errors)" '1 1'

# The folder of outputs is not an input, also in the next run.
cp -r photos again
works 'an output folder in the input folder' gf -R -i again invert -o again/small/
gf -R -i again invert -o again/small/ 2>errors
is 'it is not searched in the next run' \
    "$(tree again/small) $(grep -c 'small: is the folder of outputs' errors)" "$below 1"
gf -R -i again invert -o 'again/small/{dir}/{stem}.pgm' 2>errors
is 'neither if the name has fields' \
    "$(tree again/small) $(grep -c 'small: is the folder of outputs' errors)" "$below 1"

# ---- links and other files

cp -r photos links
ln -s .. links/a/loop
ln -s ../../photos links/b/outside
ln -s ../../photos/1.pgm links/b/file.pgm
ln -s nowhere.pgm links/b/broken.pgm
gf -R -i links invert -o linked/ 2>errors
is 'links to files are read, links to folders are not followed' "$(tree linked)" \
    '1.pgm 10/9.pgm 2.pgm a/10.pgm a/2.pgm a/raw/3.pgm b/file.pgm b/raw/4.pgm b/raw/c/5.pgm '
is 'one line for links to folders, one for a broken link' "$(grep -c '2 links to folders were not followed' errors) $(
    grep -c 'broken.pgm: skipped' errors) $(grep -cv 'note: created' errors)" '1 1 2'
ln -s links linked-root
is 'a link that is named is followed' "$(found -R -i linked-root/a/raw)" 'linked-root/a/raw/3.pgm '
cp -r photos mixed
for f in a/n.txt b/raw/m.txt b/l.doc k; do echo text >mixed/$f; done
mkfifo mixed/a/pipe
gf -R -i mixed invert -o unmixed/ 2>errors
is 'other files are skipped with one line' "$(tree unmixed) $(grep -v 'note: created' errors | wc -l | tr -d ' ') $(
    grep -c 'mixed: 4 files are neither images nor audio and were skipped' errors)" "$below 1 1"
mkdir -p empty/a/b
refuses 1 'empty: contains no files' 'folders without files' gf -R -i empty -o never/
if [ "$(id -u)" != 0 ]; then
    mkdir empty/closed
    chmod 0 empty/closed
    refuses 1 'empty/closed: Permission denied' 'a folder that cannot be read' gf -R -i empty -o never/
    chmod 700 empty/closed
else
    skip 'root can read every folder'
fi
is 'errors write no output' "$(ls -d never 2>/dev/null)" ''

finish
