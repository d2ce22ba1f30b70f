# Named chains: files of stages, their arguments, and error messages.
. "$(dirname "$0")/../lib.sh"
folder=$XDG_CONFIG_HOME/gpufilter
mkdir -p "$folder"
image in.ppm 9 7 3 255 1
sound in.wav 500 2 1

# file NAME: saves standard input as the user's chain NAME.
file() { cat >"$folder/$1"; }
# says STATUS LINE NAME COMMAND...: tests the exit status, and that standard error is exactly this
# line.
says()
{
    want=$1 line=$2 name=$3
    shift 3
    "$@" >out 2>errors </dev/null
    is "$name" "$? $(cat errors)" "$want gpufilter: $line"
}
# becomes NAME ARGUMENTS MEANT...: tests that ARGUMENTS have the same result as the stages in MEANT.
becomes()
{
    name=$1 words=$2
    shift 2
    gf -i in.ppm "$@" -o meant.ppm
    works "$name" gf -i in.ppm $words -o named.ppm
    same meant.ppm named.ppm "$name: as the stages do"
}

file scan <<'END'
# scan: clean a scanned page

args radius=1 level=60%     # how wide, how light
gray median:$radius
levels:0.1,$level
END

# ---- the contents of a file ----

becomes 'a chain by its name' scan gray median:1 levels:0.1,60%
becomes 'arguments by place and by name' scan:2,level=50% gray median:2 levels:0.1,50%
becomes 'arguments by name in any order' scan:level=50%,radius=2 gray median:2 levels:0.1,50%
becomes 'a name fills no place' scan:level=50%,2 gray median:2 levels:0.1,50%
becomes 'an empty place keeps its default' scan:,50% gray median:1 levels:0.1,50%
becomes 'a chain among stages' 'flip scan:2 flop' flip gray median:2 levels:0.1,60% flop
becomes 'a chain used twice' 'scan scan:2' gray median:1 levels:0.1,60% gray median:2 levels:0.1,60%
mkdir here
cp "$folder/scan" here/page.chain
becomes 'a file by its name' @here/page.chain:2 gray median:2 levels:0.1,60%
becomes 'a file with any name' @./here/page.chain gray median:1 levels:0.1,60%
printf 'invert flip' >here/plain
becomes 'arguments without an end of line' @here/plain invert flip
printf '\357\273\277# made elsewhere\r\nargs n=2\r\ninvert \\\r\n blur:$n\r\n' >here/dos
becomes 'a chain with carriage returns at ends of lines' @here/dos invert blur:2
file quotes <<'END'
args centre=5
'conv:[0 -1 0; -1 5 -1; 0 -1 0]'            # in quotes
"conv:[0 -1 0; -1 $centre -1; 0 -1 0]"
conv:[0 -1 0;                               # in brackets
      -1 ${centre} -1;  # the middle
      0 -1 0]
END
m='conv:[0 -1 0; -1 5 -1; 0 -1 0]'
becomes 'quotes, brackets, comments in both, several lines' quotes "$m" "$m" "$m"
printf '%s\n' "conv:[0 '-1' 0; -1 5 -1; 0 -1 0]" >here/inside
becomes 'quotes within brackets' @here/inside "$m"
file turn <<'END'
args extra= w=3 h=2
$extra
pad:$w,bg=#fff crop:${w}x${h}+0+0
END
becomes 'an empty value is no argument; # inside an argument is no comment' turn pad:3,bg=#fff crop:3x2+0+0
becomes 'a value may be a stage' turn:blur:2 blur:2 pad:3,bg=#fff crop:3x2+0+0
printf 'args a=2 b=$a\nblur:$b\n' >here/defaults
becomes 'a default of an argument before it' @here/defaults:3 blur:3
printf "args a=1\nargs b=2\nblur:\$b gamma:\$a" >here/two
becomes 'two lines of arguments' @here/two:1.5,3 blur:3 gamma:1.5
printf "args mask\nconv:\$mask,scale=auto\n" >here/mask
gf -i in.ppm 'conv:[1 2 1;2 4 2;1 2 1],scale=auto' -o meant.ppm
works 'commas and blanks in brackets belong to a value' gf -i in.ppm '@here/mask:[1,2 1;2 4 2;1 2 1]' -o named.ppm
same meant.ppm named.ppm 'a mask in a chain is the same as in a stage'
printf 'args to\ntee:$to invert\n' >here/tee
works 'a comma after a backslash' gf -i in.ppm '@here/tee:a\,b.ppm' -o named.ppm
same in.ppm a,b.ppm 'a comma after a backslash is passed to the stage'
printf '%s\n' "tee:a\\ b.ppm tee:'c#d.ppm' tee:e\\\$f.ppm tee:\$.ppm" >here/odd
works 'a literal blank, # and $' gf -i in.ppm @here/odd -o named.ppm
is "a literal blank, # and $ name files" "$(ls 'a b.ppm' 'c#d.ppm' 'e$f.ppm' '$.ppm' | wc -l)" 4

# ---- chains in chains, and the folders that are searched ----

file page <<'END'
args radius=1
scan:$radius invert
END
becomes 'a chain in a chain' page:2 gray median:2 levels:0.1,60% invert
echo '@deeper/one flip' >here/outer
mkdir here/deeper
printf 'conv:$dir/mask.txt\n' >here/deeper/one
echo '0 -1 0; -1 5 -1; 0 -1 0' | tr ';' '\n' >here/deeper/mask.txt
becomes '@FILE in a file is relative to its folder, and so is $dir' @here/outer conv:here/deeper/mask.txt flip
(cd here && gf -i ../in.ppm @outer -o ../named.ppm)
same meant.ppm named.ppm '@FILE in a file is the same from any folder'
mkdir 'here/x,y'
cp here/deeper/* here/x,y
becomes '$dir with a comma in it' @here/x,y/one conv:here/deeper/mask.txt
printf 'gain:-6 mono' | file soft
gf -i in.wav gain:-6 mono -o meant.wav
works 'a chain for audio' gf -i in.wav soft -o named.wav
same meant.wav named.wav 'a chain for audio has the result of its stages'
echo invert | file both
works 'a chain for images and audio, on an image' gf -i in.ppm both -o named.ppm
works 'a chain for images and audio, on audio' gf -i in.wav both -o named.wav
mkdir -p home/.config/gpufilter
echo flip >home/.config/gpufilter/homely
gf -i in.ppm flip -o meant.ppm
for set in '-u XDG_CONFIG_HOME' XDG_CONFIG_HOME= XDG_CONFIG_HOME=here XDG_CONFIG_HOME=./home/.config; do
    works "a chain in the home folder with $set" env $set HOME="$PWD/home" "$GPUFILTER" -i in.ppm homely -o named.ppm
    same meant.ppm named.ppm "a chain in the home folder with $set has the result of its stages"
done
says 2 "no stage is called 'homely'; gpufilter --list shows all" 'a user without a home has no chains' \
    env -u XDG_CONFIG_HOME -u HOME "$GPUFILTER" -i in.ppm homely -o o.ppm
says 2 "no stage is called 'homely'; gpufilter --list shows all" 'a home that is relative' \
    env -u XDG_CONFIG_HOME HOME=home "$GPUFILTER" -i in.ppm homely -o o.ppm

# ---- chains of the system, after the user's own ----

mkdir -p first/gpufilter second/gpufilter here/gpufilter
echo '# the first one' >first/gpufilter/shared
echo flip >>first/gpufilter/shared
echo '# the second one
flop' | tee second/gpufilter/shared >second/gpufilter/further
echo 'invert' >first/gpufilter/soft
echo 'invert' >here/gpufilter/nearby
XDG_CONFIG_DIRS=$PWD/first:here:$PWD/missing::$PWD/second:$PWD/first
becomes 'a chain of the system' shared flip
becomes 'a chain in a second folder of the system' further flop
gf -i in.wav gain:-6 mono -o meant.wav
works 'a chain of the user with the name of one of the system' gf -i in.wav soft -o named.wav
same meant.wav named.wav 'a chain of the user goes before one of the system'
says 2 "no stage is called 'nearby'; gpufilter --list shows all" 'a folder that is relative' gf -i in.ppm nearby \
    -o o.ppm
says 2 "no stage is called 'sharde'; did you mean 'shared'?" 'a name that is near' gf -i in.ppm sharde -o o.ppm
is '--list tells of each where it is' \
    "$(gf --list | sed -n '/^Chains in .*first/,/^$/p;/^Chains in .*second/,/^$/p' | tr '\n' '|')" \
    "Chains in $PWD/first/gpufilter:|  shared      the first one||Chains in $PWD/second/gpufilter:|  further     the "\
"second one||"
is '--help shows that one' "$(gf --help shared | head -n 1)" \
    "shared (a chain of $PWD/first/gpufilter/shared): the first one"
is 'completions include them' "$(gf --manual chains | cut -f 1 | grep -c '^shared$\|^further$')" 2
echo flip >first/gpufilter/dotted.chain
says 2 "no stage is called 'dotted'; $PWD/first/gpufilter/dotted.chain is not used, because names of chains have no "\
"dot; rename it or write @$PWD/first/gpufilter/dotted.chain" \
    'a dot in a name' gf -i in.ppm dotted -o o.ppm
# Many folders take time in proportion, not its square: 40,000 took 19 s for a word and 100 s for a list.
XDG_CONFIG_DIRS=$(${AWK:-awk} 'BEGIN { for (i = 0; i < 40000; i++) printf "/a:" }')$PWD/second
works 'a chain in the last of many folders' timeout 10 "$GPUFILTER" -i in.ppm further -o /dev/null
works 'a list of many' timeout 30 "$GPUFILTER" --list
is 'a list of many folders has the chains of the last' "$(grep -c "^Chains in $PWD/second/gpufilter:" out)" 1
for none in '-u XDG_CONFIG_DIRS' XDG_CONFIG_DIRS= XDG_CONFIG_DIRS=: XDG_CONFIG_DIRS=first; do
    says 2 "no stage is called 'further'; gpufilter --list shows all" "a chain of the system is not found with $none" \
        env $none "$GPUFILTER" -i in.ppm further -o o.ppm
done
if strace -o trace true 2>/dev/null; then
    # LeakSanitizer does not work under strace.
    env -u XDG_CONFIG_DIRS LSAN_OPTIONS=detect_leaks=0 strace -e trace=file -o trace "$GPUFILTER" -i in.ppm further \
        -o o.ppm 2>/dev/null
    is '/etc/xdg by default' "$(grep -c '"/etc/xdg/gpufilter/further"' trace | awk '{ print ($1 > 0) }')" 1
else
    skip 'no strace here'
fi
XDG_CONFIG_DIRS=$scratch/system-config

# ---- stages of the program come before named chains ----

echo flip | file blur
gf -i in.ppm blur -o meant.ppm 2>/dev/null
says 0 "warning: $folder/blur: this named chain is not used, because a stage has the same name; rename it or write "\
"@$folder/blur" 'a stage hides a file' \
    gf -i in.ppm blur -o named.ppm
same meant.ppm named.ppm 'a stage that hides a file is used'
works '-q silences the warning' gf -q -i in.ppm blur -o named.ppm
becomes 'the file by its name' "@$folder/blur" flip
is '--list says so, too' "$(gf --list | grep '^  blur .*not used')" \
    '  blur        not used, because a stage has this name'
is '--help for a stage that hides a file describes the stage' \
    "$(gf --help blur | head -n 1 | cut -d : -f 1)" 'blur (images)'
rm "$folder/blur"

# ---- wrong calls ----

says 2 "$folder/scan:3: scan: unexpected value '3'; its arguments are radius or level" 'one value too many' gf \
    -i in.ppm scan:1,2,3 -o o.ppm
says 2 "$folder/scan:3: scan: unknown argument 'lvel'; did you mean 'level='?" 'a misspelled argument' gf -i in.ppm \
    scan:lvel=1 -o o.ppm
says 2 "$folder/scan:3: scan: unknown argument 'colour'; its arguments are radius or level" 'an unknown argument' gf \
    -i in.ppm scan:colour=1 -o o.ppm
says 2 "$folder/scan:3: scan: radius is given twice" 'an argument by place and by name' \
    gf -i in.ppm scan:1,radius=2 -o o.ppm
says 2 "$folder/scan:3: scan: level is given twice" 'an argument by name twice' \
    gf -i in.ppm scan:level=1,level=1 -o o.ppm
says 2 "$folder/both:1: both: unexpected value '3'; it takes none" 'a value for a chain without arguments' gf \
    -i in.ppm both:3 -o o.ppm
says 2 "here/mask:1: @here/mask: missing value for mask; write @here/mask:MASK" 'a missing value' gf -i in.ppm \
    @here/mask -o o.ppm
says 2 "here/mask:1: @here/mask: missing value for mask; write @here/mask:MASK" 'an empty value' gf -i in.ppm \
    @here/mask: -o o.ppm
says 2 "$folder/scan:4: median: radius=abc: must be 1 to 127 pixels" 'a wrong value' gf -i in.ppm scan:abc -o o.ppm
says 2 "'3' is not a stage but a value for the one before it; write scan:3" 'a value after a blank' gf -i in.ppm scan \
    3 -o o.ppm
says 2 "'level=3' is not a stage but a value for the one before it; write scan:2,level=3" 'a key after a blank' gf \
    -i in.ppm scan:2 level=3 -o o.ppm
says 2 "'3' is not a stage, and both takes no arguments" 'a value after a blank for a chain without arguments' \
    gf -i in.ppm both 3 -o o.ppm
says 2 "no stage is called 'scam'; did you mean 'scan'?" 'a chain misspelt' gf -i in.ppm scam:3 -o o.ppm
says 2 "no stage is called 'scam'; did you mean 'scan'?" 'a misspelt chain in --help' gf --help scam
says 2 "no stage is called 'blurr'; did you mean 'blur'?" 'a stage misspelt' gf -i in.ppm blurr -o o.ppm
says 2 "$folder/soft:1: gain works on audio, but in.ppm is an image; did you mean 'brightness'?" \
    'an audio chain on an image' gf -i in.ppm soft -o o.ppm
says 2 "'@': missing the name of a file of stages; write @FILE" '@ without a name' gf -i in.ppm @ -o o.ppm
says 2 "'@': missing the name of a file of stages; write @FILE" '@ with arguments but without a name' \
    gf -i in.ppm @:3 -o o.ppm
says 1 'none.chain: No such file or directory' 'a file that is not there' gf -i in.ppm @none.chain -o o.ppm
says 1 "scan: No such file or directory; did you mean 'scan:2'?" 'a chain has no @' gf -i in.ppm @scan:2 -o o.ppm
says 1 'here is a folder, not a file of stages' '@ with a folder' gf -i in.ppm @here -o o.ppm
cp "$folder/scan" "$folder/old.chain"
for word in old old:2 old.chain; do
    says 2 "no stage is called '${word%:2}'; $folder/old.chain is not used, because names of chains have no dot; "\
"rename it or write @$folder/old.chain" \
        "a dot in the name of a file, $word" gf -i in.ppm $word -o o.ppm
done
becomes 'a file with a dot in its name is called with @' "@$folder/old.chain:2" gray median:2 levels:0.1,60%
rm "$folder/old.chain"
printf 'args a=1 b c\nblur:$a blur:$b blur:$c' >here/three
says 2 'here/three:1: @here/three: missing value for b; write @here/three:b=B' 'how to give the second' gf -i in.ppm \
    @here/three -o o.ppm
says 2 'here/three:1: @here/three: missing value for c; write @here/three:1,2,c=C' \
    'a missing third argument: the message has the first and the second' gf -i in.ppm @here/three:1,2 -o o.ppm
mkdir "$folder/luts"
says 1 "$folder/luts is a folder, not a file of stages" 'a chain of the user' gf -i in.ppm luts -o o.ppm
is '--list leaves it out' "$(gf --list | grep -c luts)" 0

# ---- wrong files ----

# wrong LINE MESSAGE TEXT: saves TEXT as the chain `bad` and tests the message for line LINE.
wrong() { printf "$3" | file bad; says 2 "$folder/bad:$1: $2" "$3: $2" gf -i in.ppm bad -o o.ppm; }
wrong 3 "no stage is called 'blurr'; did you mean 'blur'?" 'gray\n\nblurr:2\n'
wrong 2 "no stage is called 'scam'; did you mean 'scan'?" 'gray\nscam\n'
wrong 2 "no stage is called 'xylophone'; gpufilter --list shows all" '\nxylophone'
wrong 1 "no stage is called 'tempo'; there is no change of tempo or pitch; sox IN.wav -t wav - tempo 2 | "\
"gpufilter ..." 'tempo:2'
wrong 2 "blur: edge=round: must be clamp, reflect, mirror, wrap or zero" 'gray\nblur:2,edge=round'
wrong 1 "'3' is not a stage but a value for the one before it; write blur:3" 'blur 3'
wrong 1 "gain works on audio; did you mean 'brightness'?" 'gain -3'
wrong 1 "'-3' is not a stage but a value for the one before it; write gain:1,-3" 'gain:1 -3'
wrong 2 "'3' is not a stage but a value for the one before it; write scan:3" '#\nscan 3'
wrong 2 "'-3' is not a stage but a value for the one before it; write scan:-3" '#\nscan -3'
wrong 2 "'-o' is an option; a file of stages can have stages only" 'gray\n-o b.png\n'
wrong 1 "'--depth' is an option; a file of stages can have stages only" 'gray --depth 8\n'
wrong 2 "'in.ppm' is a file, not a stage; -i in.ppm reads it, and -o names the output" 'gray\nin.ppm\n'
wrong 3 "args must be at the beginning of a line, before the first stage" 'gray\n\nargs a=2\nblur:$a'
wrong 1 "args must be at the beginning of a line, before the first stage" 'gray args\n'
wrong 2 "no argument is called 'raduis'; did you mean '\$radius'?" 'args radius=2\nblur:$raduis'
wrong 2 "no argument is called 'n'; args declares radius or sigma" 'args radius=2 sigma=1\nblur:${n}'
wrong 1 "no argument is called 'n'; a line 'args n=DEFAULT' before the stages declares it" 'blur:$n'
wrong 1 "no argument is called '1'; a line 'args NAME=DEFAULT' before the stages declares arguments by name" 'blur:$1'
wrong 1 "'dir' cannot be the name of an argument; \$dir is the folder of the file" 'args radius=1 dir=.\nblur:$radius'
wrong 2 "'\${n' is not an argument; write \$NAME or \${NAME}" 'args n=2\nblur:${n gray'
wrong 1 "'\${}' is not an argument; write \$NAME or \${NAME}" 'blur:${}'
wrong 1 "'2x' cannot be the name of an argument; use letters, digits and _, with a letter first" 'args 2x=1\ngray'
wrong 2 "'brown=80%,' ends in a comma; separate arguments by blanks" '#\nargs brown=80%%, grain=4%%\ngray'
wrong 1 "'brown,' ends in a comma; separate arguments by blanks" 'args brown, grain\ngray'
for blanks in 'brown = 80%' 'brown =80%' 'brown= 80%' 'brown=  80% grain=1'; do
    wrong 2 'no blanks are allowed around =; write brown=80%' "\nargs $(echo "$blanks" | sed 's/%/%%/')\ngray"
done
wrong 2 "an argument is longer than 1 MB" "args a=$(head -c 600000 /dev/zero | tr '\0' x)\nblur:\$a\$a"
wrong 2 "args declares a twice" 'args a=1\nargs a=2\ngray'
wrong 1 "a chain has at most 12 arguments" "args$(seq -f ' a%g=1' -s '' 13)\ngray"
wrong 2 "the quote is not closed" "gray\n'conv:[0 1\nflip\n"
wrong 3 'the quote is not closed' 'gray\n\n"blur\n'
wrong 2 'the bracket is not closed' 'gray\nconv:[0 1 0\nflip\n'
wrong 2 "conv: row 2 of the mask has 1 numbers, the rows above have 2" 'gray\n"conv:[1 2; 3]"'
wrong 2 "rotate: missing value for degrees (-1000000 to 1000000 degrees); for example rotate:30" 'gray\nrotate'
wrong 1 "no stage is called ''; gpufilter --list shows all" "''"
wrong 1 "no stage is called '|'; gpufilter --list shows all" '| gray'
wrong 2 'not a text file of stages: it has a byte 0x00' 'gray\n\000flip'
wrong 1 'not a text file of stages: it has a byte 0x1b' 'gray\033[2J'
wrong 1 'not a text file of stages: it has a byte 0x7f' 'gr\177ay'
for text in '' '# nothing\n' 'args a=2\n' 'args a=\n$a $a\n'; do
    printf "$text" | file bad
    says 2 "$folder/bad: no stage in this file" "no stage in a file of $(printf "$text" | wc -c) bytes" gf -i in.ppm \
        bad -o o.ppm
done
head -c 2000000 /dev/zero | tr '\0' ' ' | file bad
says 2 "$folder/bad: not a file of stages, it is larger than 1 MB" 'a huge file' gf -i in.ppm bad -o o.ppm
says 2 '/dev/zero:1: not a text file of stages: it has a byte 0x00' 'an endless one' gf -i in.ppm @/dev/zero -o o.ppm
rm "$folder/bad"
mkfifo "$folder/bad"
says 1 "$folder/bad is not a file of stages" 'a pipe in the folder does not block' timeout 20 "$GPUFILTER" -i in.ppm \
    bad -o o.ppm
rm "$folder/bad"
if command -v bash >/dev/null; then
    gf -i in.ppm invert flip -o meant.ppm
    works 'a pipe after @ is read' bash -c '"$0" -i in.ppm @<(echo invert; echo flip) -o named.ppm' "$GPUFILTER"
    same meant.ppm named.ppm 'a pipe after @ is read to its end'
else
    skip 'no bash here'
fi
: | file bad
chmod 0 "$folder/bad"
if [ -r "$folder/bad" ]; then
    skip 'this user may read everything'
else
    says 1 "$folder/bad: Permission denied" 'a file that is not to be read' gf -i in.ppm bad -o o.ppm
fi
rm -f "$folder/bad"
says 1 "$folder/broken: Too many levels of symbolic links" 'a link to itself' sh \
    -c "ln -s broken '$folder/broken'; '$GPUFILTER' -i in.ppm '@$folder/broken' -o o.ppm"
rm "$folder/broken"
for name in ../scan ./scan scan/ .scan scan~ 'sc an' ''; do
    refuses 2 'no stage is called\|neither a stage' "'$name' names no chain" gf -i in.ppm "$name" -o o.ppm
done

# ---- recursion ----

echo a2 | file a1; echo 'invert a3' | file a2; printf '\n\na1\n' | file a3
says 2 "$folder/a3:3: a1: a chain cannot call itself (called from $folder/a2:1)" 'a cycle of calls' gf -i in.ppm a1 \
    -o o.ppm
printf '\nself\n' | file self
says 2 "$folder/self:2: self: a chain cannot call itself" 'a chain that calls itself' gf -i in.ppm self -o o.ppm
printf '@link' >here/loop; ln -s loop here/link
says 2 "here/loop:1: @link: a chain cannot call itself" 'a chain that calls itself under another name' \
    gf -i in.ppm @here/loop -o o.ppm
for i in 1 2 3 4 5 6 7 8; do echo "d$((i + 1))" | file d$i; done
echo invert | file d9
works 'eight in one another' gf -i in.ppm d2 -o named.ppm
says 2 "$folder/d8:1: d9: chains are nested more than 8 deep (called from $folder/d7:1)" \
    'nine chains nested in one another' gf -i in.ppm d1 -o o.ppm
echo 'invert invert invert invert invert invert invert invert' | file e1
for i in 2 3; do echo "e$((i - 1)) e$((i - 1)) e$((i - 1)) e$((i - 1)) e$((i - 1)) e$((i - 1)) e$((i - 1)) "\
"e$((i - 1))" | file e$i; done
works '64 stages from nested chains' gf -i in.ppm e2 -o named.ppm
says 2 "$folder/e1:1: a chain has at most 64 stages; 'invert' is one more (called from $folder/e2:1)" '512 of them' gf \
    -i in.ppm e3 -o o.ppm
says 2 "$folder/e1:1: a chain has at most 64 stages; 'invert' is one more (called from $folder/e2:1)" 'one and 64' gf \
    -i in.ppm flip e2 -o o.ppm
says 2 'a chain has at most 64 stages; this one has 65' '64 and one' gf -i in.ppm e2 flip -o o.ppm
printf 'flip\nscan:$x' | file calls
says 2 "$folder/calls:2: no argument is called 'x'; a line 'args x=DEFAULT' before the stages declares it" \
    'a value in a call' gf -i in.ppm calls -o o.ppm
printf 'flip\nscan:1,2,3' | file calls
says 2 "$folder/calls:2: scan: unexpected value '3'; its arguments are radius or level" \
    'the message has the place of a wrong call' gf -i in.ppm calls -o o.ppm
printf 'args n\nflip\nscan:$n' | file calls
says 2 "$folder/scan:4: median: radius=no: must be 1 to 127 pixels (called from $folder/calls:3)" \
    'a wrong value: the message has the line that uses it and the call' gf -i in.ppm calls:no -o o.ppm
says 2 "$folder/calls:1: calls: missing value for n; write calls:N" \
    'a missing value in a nested call: the message has the outer chain' gf -i in.ppm calls -o o.ppm
printf 'flip\n@none' | file calls
says 1 "$folder/calls:2: $folder/none: No such file or directory" 'a call of a missing file' gf -i in.ppm calls -o o.ppm
is 'none of the refused chains wrote a file' "$(ls o.* 2>/dev/null)" ''

# ---- chains in help, --list and --explain ----

gf -i in.ppm flip scan:2 page invert --explain -o none.ppm >plan
is '--explain prints the stages of a name' "$(head -n 2 plan)" \
    "$(printf 'chain:  scan:2 is gray median:2 levels:0.1,60%%\nchain:  page is gray median:1 levels:0.1,60%% invert')"
is '-v prints the stages of a name' "$(gf -v -i in.ppm scan -o named.ppm 2>&1 | grep '^chain:')" \
    'chain:  scan is gray median:1 levels:0.1,60%'
sh -c "gf() { '$GPUFILTER' \"\$@\"; }; gf -i in.ppm $(gf -i in.ppm quotes --explain |
    sed -n 's/^chain:  quotes is //p') -o named.ppm"
gf -i in.ppm quotes -o meant.ppm
same meant.ppm named.ppm 'the stages that --explain prints can be typed into a shell'
gf -i in.ppm gray median:1 levels:0.1,60% --explain -o none.ppm >meant
gf -i in.ppm scan --explain -o none.ppm | sed 1d >plan
same meant plan '--explain has the same plan for a name as for its stages'
gf --list >list.txt
is '--list has them, with their descriptions' \
    "$(sed -n '/^Chains in/,/^$/p' list.txt | sed 's/ *$//' | grep 'Chains\|scan\|both')" \
    "$(printf 'Chains in %s:\n  both\n  scan        clean a scanned page' "$folder")"
is '--list has no section of chains if there are none' "$(XDG_CONFIG_HOME=/nowhere gf --list | grep -c Chains)" 0
works '--help describes a chain' gf --help scan
is '--help prints the description, arguments and text of a chain' \
    "$(cat out)" "scan (a chain of $folder/scan): clean a scanned page

  scan[:RADIUS[,LEVEL]]

  radius (value 1)
      default 1

  level (value 2)
      default 60%

The file:
$(sed 's/^\(.\)/  \1/' "$folder/scan")"
works '--help describes a chain in a file' gf --help @here/mask
is '--help prints the required arguments of a chain in a file' "$(grep -A 1 '^  mask' out)" \
    "$(printf '  mask (value 1)\n      required')"
says 1 'none: No such file or directory' '--help for a missing file' gf --help @none
printf 'args \047a' | file bad
says 2 "$folder/bad:1: the quote is not closed" '--help for a wrong chain' gf --help bad
works '--list with a wrong chain succeeds' gf --list
is '--list says that a chain is wrong' "$(sed -n '/^  bad/,/closed/p' out | tr -d ' \n')" \
    "bad$folder/bad:1:thequoteisnotclosed"
rm "$folder/bad"

for shell in bash zsh fish; do gf --completion $shell >completion.$shell; done
mkdir bin
ln -s "$GPUFILTER" bin/gpufilter
PATH=$PWD/bin:$PATH
export PATH
if command -v bash >/dev/null; then
    complete_bash()
    {
        bash -c '. ./completion.bash; COMP_WORDBREAKS=$1 COMP_LINE=$2 COMP_POINT=${#2}; _gpufilter 2>/dev/null
                 echo "${COMPREPLY[*]}"' - " :=" "$1"
    }
    is 'bash completes a name' "$(complete_bash 'gpufilter -i a.ppm sca')" scan
    is 'bash completes the arguments of a chain' "$(complete_bash 'gpufilter scan:2,le')" 2,level=
    is 'bash completes files after @' "$(complete_bash 'gpufilter @here/pa')" @here/page.chain
    is 'bash completes a name after --help' "$(complete_bash 'gpufilter --help scan')" scan
else
    skip 'no bash here'
fi
if command -v zsh >/dev/null; then
    complete_zsh()
    {
        zsh -fc 'compdef() { :; }; compadd() { shift $(($# - 1)); case $1 in "$PREFIX"*) print -r -- "$1" ;; esac; }; '\
'. ./completion.zsh
                 PREFIX=$1 words=(gpufilter $1) CURRENT=2; _gpufilter' - "$1"
    }
    is 'zsh completes a name' "$(complete_zsh sca)" scan
    is 'zsh completes the arguments of a chain' "$(complete_zsh scan:2,le)" scan:2,level=
else
    skip 'no zsh here'
fi
if command -v fish >/dev/null; then
    complete_fish() { HOME=$PWD fish -c "source completion.fish; complete -C'gpufilter $1'" 2>/dev/null; }
    is 'fish completes a name' "$(complete_fish sca)" "$(printf 'scan\tclean a scanned page')"
    is 'fish completes the arguments of a chain' "$(complete_fish scan:2,le)" scan:2,level=
    is 'fish completes files after @' "$(complete_fish @here/pa)" @here/page.chain
else
    skip 'no fish here'
fi

# ---- any bytes in a file: an exit status, and at most one line ----

tried=0
for seed in $(seq 1 ${NAMED_TRIES:-150}); do
    ${AWK:-awk} -v seed=$seed 'BEGIN {
        n = split("gray|blur:2|median:|$a|${b}|$|\047|\"|[|]|#|\\|\n|\n| '\
'|\t|args|a=1|b|=|,|:|@|@fuzz|scan|scan:2|fuzz|-o|-3|conv:[1|;|\r|{n}|tee:", part, "|")
        seed = seed * 7919 + 17
        for (i = 0; i < 3; i++)
            seed = seed * 16807 % 2147483647
        for (i = seed % 60; i >= 0; i--) {
            seed = seed * 16807 % 2147483647
            if (seed % 40 == 0 && i % 3 == 0)
                printf "%c", int(seed / 40) % 256
            else
                printf "%s%s", part[int(seed / 7) % n + 1], seed % 3 ? "" : " "
        }
    }' >"$folder/fuzz"
    gf -i in.ppm fuzz:2 --explain >out 2>errors </dev/null
    status=$?
    gf --help fuzz >out 2>more </dev/null
    if [ $status -gt 2 ] || [ $? -gt 2 ] || [ "$(wc -l <errors)" -gt 1 ] || [ "$(wc -l <more)" -gt 1 ] \
        || { [ $status = 0 ] && [ -s errors ]; } || { [ $status != 0 ] && [ ! -s errors ]; }; then
        { echo "seed $seed, status $status"; cat errors; } | note
        break
    fi
    tried=$((tried + 1))
done
is 'files of any bytes' $tried "${NAMED_TRIES:-150}"
head -c 65536 /dev/urandom >"$folder/fuzz"
refuses 2 "$folder/fuzz:" 'a file that is not text' gf -i in.ppm fuzz -o o.ppm
finish
