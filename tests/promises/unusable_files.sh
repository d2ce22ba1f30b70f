# Damaged inputs, and outputs that cannot be written.
. "$(dirname "$0")/../lib.sh"
image in.ppm 33 21 3 255 1
sound in.wav 3000 2 1

# ---- inputs

refuses 1 'missing.ppm' 'an input that is not there' gf -i missing.ppm invert -o o.ppm
: >empty.ppm
refuses 1 'empty.ppm' 'an empty input' gf -i empty.ppm invert -o o.ppm
echo 'hello, this is no picture' >text.txt
refuses 1 'text.txt' 'a text as input' gf -i text.txt invert -o o.ppm
refuses 1 'standard input' 'an empty pipe' gf invert -o o.ppm
head -c 500 in.ppm >cut.ppm
refuses 1 'cut.ppm' 'a truncated image' gf -i cut.ppm invert -o o.ppm
head -c 11 in.ppm >header.ppm
refuses 1 'header.ppm' 'an image without pixels' gf -i header.ppm invert -o o.ppm
head -c 20 in.wav >header.wav
refuses 1 'header.wav' 'a recording cut in its header' gf -i header.wav invert -o o.wav

# Headers with false sizes: each is an error, reported quickly and without allocating the memory
# that it states.
hostile()
{
    name=$1
    refuses 1 'hostile.bin' "$name" gf -i hostile.bin invert -o o.ppm
}
printf 'P6\n99999999999 99999999999\n255\nabc' >hostile.bin
hostile 'sides beyond counting'
printf 'P5\n4000000000 4000000000\n255\nabc' >hostile.bin
hostile 'an area beyond counting'
printf 'P5\n-4 4\n255\nabcdefgh' >hostile.bin
hostile 'a negative side'
printf 'P5\n0 4\n255\n' >hostile.bin
hostile 'a PGM without columns'
printf 'P5\n4 4\n0\nabcdefghabcdefgh' >hostile.bin
hostile 'a PGM with a maxval of 0'
printf 'P5\n4 4\n65536\nabcdefghabcdefgh' >hostile.bin
hostile 'maxval too large'
printf 'P5\n4' >hostile.bin
hostile 'a header that ends'
printf 'P7\nWIDTH 4\nHEIGHT 4\nMAXVAL 255\nENDHDR\nabcd' >hostile.bin
hostile 'a PAM without depth'
printf 'P7\nWIDTH 4\nHEIGHT 4\nDEPTH 5000\nMAXVAL 255\nENDHDR\nabcd' >hostile.bin
hostile 'a PAM of too many channels'
printf 'P7\nWIDTH 4\n%020000d' 0 >hostile.bin
hostile 'a PAM header without end'
printf 'Pf\n4 4\n0\nabcd' >hostile.bin
hostile 'a PFM without byte order'
printf '\211PNG\r\n\032\n\0\0\0\015IHDR\377\377\377\377\377\377\377\377\010\002\0\0\0' >hostile.bin
hostile 'a PNG of all the world'
printf '\377\330\377\340\0\020JFIF' >hostile.bin
hostile 'a JPEG that ends'
printf 'BM\0\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\377\377\377\177\377\377\377\177\001\0\030\0' >hostile.bin
hostile 'a BMP of all the world'
printf 'GIF89a\377\377\377\377\0\0\0' >hostile.bin
hostile 'a GIF that ends'
printf 'RIFF\377\377\377\377WAVEfmt \020\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0\020\0data\0\0\0\0' >hostile.bin
hostile 'a WAV without channels'
printf 'RIFF\044\0\0\0WAVEfmt \001\0\0\0\001' >hostile.bin
hostile 'a WAV with a short format'
printf 'RIFF\044\0\0\0WAVEdata\004\0\0\0abcd' >hostile.bin
hostile 'a WAV without a format'
image large.pgm 300 300 1 255 1
refuses 1 'max-pixels' 'more pixels than allowed by --max-pixels' gf --max-pixels 80k -i large.pgm invert -o o.pgm
works 'as many pixels as allowed by --max-pixels' gf --max-pixels 90k -i large.pgm invert -o o.pgm
rm -f o.pgm
is 'no output appeared for any of these inputs' "$(ls o.* 2>/dev/null)" ''

# A recording whose first samples look like a JPEG or a PNG is not a second image.
{ head -c 44 in.wav; printf '\377\330\377\340\0\020JF'; tail -c +53 in.wav; } >like-jpeg.wav
{ head -c 44 in.wav; printf '\211PNG\r\n\032\n'; tail -c +53 in.wav; } >like-png.wav
for samples in like-jpeg like-png; do
    works "audio with samples $samples" gf -i $samples.wav -o $samples-back.wav
    same $samples.wav $samples-back.wav "audio with samples $samples is the same when it comes back"
done
{ head -c 24 in.wav; printf '\104\254\0\0'; tail -c +29 in.wav; } >like-cd.wav
refuses 1 '44100 Hz; add the stage resample:48k' 'a rate that Opus has not' gf -i like-cd.wav -t opus -o like-cd.opus
rm -f like-*

# ---- outputs

refuses 1 'in.ppm/o.ppm' 'a folder that is a file' gf -i in.ppm invert -o in.ppm/o.ppm
for target in o.ppm o.png o.jpg o.bmp o.tga o.pam; do
    refuses 1 '' "a full disk, as ${target#o.}" gf -i in.ppm invert -t "${target#o.}" -o /dev/full
done
refuses 1 '' 'a full disk, audio' gf -i in.wav invert -t wav -o /dev/full
refuses 1 '' 'a full disk, a table' gf -i in.ppm histogram -t tsv -o /dev/full
for target in o.ppm o.png o.jpg; do
    refuses 1 "limit-$target: File too large" "a limit on the size of files, as ${target#o.}" \
        sh -c 'ulimit -f 1 && "$0" -i "$1/photo.ppm" invert -o "limit-$2"' "$GPUFILTER" "$GPUFILTER_SAMPLES" $target
done
is "a limit on the size of files leaves no file, as ${target#o.}" "$(ls -A | grep -c limit)" 0
refuses 1 'File too large.*TMPDIR' 'a limit on the size of files on a spool that does not fit into memory' \
    sh -c 'ulimit -f 1 && "$0" --device cpu --memory 4M -i "$1/photo.ppm" resize:1600x1200 rotate:30 -o limit.ppm' \
    "$GPUFILTER" "$GPUFILTER_SAMPLES"
for ask in --help '--help blur' --list --version --devices '--completion bash' '--manual listing' \
    '--explain -i in.ppm invert -o o.ppm'; do
    refuses 1 '^gpufilter: standard output: ' "a full disk, $ask" sh -c 'exec "$0" $1 >/dev/full' "$GPUFILTER" "$ask"
done
is '/dev/full is still a device' "$(test -c /dev/full && echo yes)" yes
works '/dev/null takes everything' gf -i in.ppm invert -o /dev/null
is '/dev/null is still a device' "$(test -c /dev/null && echo yes)" yes

# If standard error is closed, messages must not go into a file that gets its descriptor.
photo=$GPUFILTER_SAMPLES/photo.ppm
gf --device cpu -i "$photo" invert -o said.ppm
{ head -c 100000 "$photo"; sleep 0.5; tail -c +100001 "$photo"; } |
    gf --device cpu --progress always invert -o unsaid.ppm 2>&-
same said.ppm unsaid.ppm 'standard error is closed'
rm said.ppm unsaid.ppm
refuses 1 'standard output: Bad file descriptor' 'standard output is closed' sh -c '"$0" -i in.ppm invert >&-' \
    "$GPUFILTER"
refuses 1 'standard input: Bad file descriptor' 'standard input is closed' sh -c '"$0" invert -t ppm <&-' "$GPUFILTER"

echo precious >old.ppm
refuses 1 'cut.ppm' 'a failure with an output that exists' gf -i cut.ppm invert -o old.ppm
is 'a failure leaves an existing output unchanged' "$(cat old.ppm)" precious
refuses 1 'old.ppm' '--no-clobber refuses an existing output' gf -n -i in.ppm invert -o old.ppm
is '--no-clobber leaves an existing output unchanged' "$(cat old.ppm)" precious
is 'a refused output leaves no other files' "$(ls -A | grep -c '^\.\|tmp')" 0
works 'an output that exists is replaced' gf -i in.ppm invert -o old.ppm
gf -i in.ppm invert -o twice.ppm
same twice.ppm old.ppm 'an existing output is replaced by a complete file'

cp in.ppm self.ppm
works 'input and output the same file' gf -i self.ppm invert -o self.ppm
same twice.ppm self.ppm 'an input that is also the output gives the right result'
ln -s real.ppm link.ppm
echo precious >real.ppm
works 'an output that is a link' gf -i in.ppm invert -o link.ppm
is 'an output that is a link is followed' "$(test -L link.ppm && cmp -s real.ppm twice.ppm && echo yes)" yes
cp in.ppm moded.ppm
chmod 640 moded.ppm
gf -i moded.ppm invert -o moded.ppm
is 'an output keeps its permissions' "$(ls -l moded.ppm | cut -c1-10)" '-rw-r-----'
# A replaced file keeps its group. If that is not allowed, no group gets a right that it did not have.
if [ "$(id -u)" = 0 ] && chgrp 12345 moded.ppm 2>/dev/null; then
    for mode in 660 640 600 444; do
        cp in.ppm moded.ppm
        chmod $mode moded.ppm
        works "root replaces a file of another group, mode $mode" gf -i moded.ppm invert -o moded.ppm
        is "root keeps group and mode of another group's file, mode $mode" \
            "$(stat -c '%u %g %a' moded.ppm)" "0 12345 $mode"
    done
    chown 23456 moded.ppm
    works 'root replaces a file of another user' gf -i moded.ppm invert -o moded.ppm
    is "root keeps owner, group and mode of another user's file" "$(stat -c '%u %g %a' moded.ppm)" '23456 12345 444'
else
    skip 'only root can have a file of any group'
fi
# As another user, in a folder that this user can write to: change_group MODE GROUPS [OPTION...] prints the
# rights of the result.
change_group()
{
    cp in.ppm "$theirs/moded.ppm"
    chown 65534:12345 "$theirs/moded.ppm"
    chmod "$1" "$theirs/moded.ppm"
    groups=$2
    shift 2
    setpriv --reuid 65534 --regid 65534 --groups "$groups" "$GPUFILTER" "$@" --device cpu -i "$theirs/moded.ppm" \
        invert -o "$theirs/moded.ppm" 2>errors
    stat -c '%u %g %a' "$theirs/moded.ppm"
}
theirs=$(mktemp -d "${TMPDIR:-/tmp}/gpufilter-group.XXXXXX")
trap 'rm -rf "$scratch" "$theirs"' EXIT
if chown 65534 "$theirs" 2>/dev/null && setpriv --reuid 65534 --regid 65534 --groups 12345 \
    "$GPUFILTER" --version >said 2>&1; then
    is 'another group gets no rights in a replaced file' "$(change_group 660 65534)" '65534 65534 600'
    is 'a warning says that another group gets no rights' \
        "$(cat errors)" "gpufilter: warning: $theirs/moded.ppm: the new file cannot have the "\
"group of the file that it replaces, so its mode is 600, not 660"
    is 'another group may read if all others may' "$(change_group 664 65534)" '65534 65534 644'
    is 'rights that the old group did not have are not given to others' "$(change_group 604 65534)" '65534 65534 600'
    is 'a mode that gives the group no more than others stays' "$(change_group 644 65534; cat errors)" \
        '65534 65534 644'
    # A member could keep the group, but the sandbox forbids it. Not every kernel and no sanitizer has the sandbox.
    case $(change_group 660 65534,12345; cat errors) in
    '65534 12345 660') member=kept ;;
    '65534 65534 600'*'so its mode is 600, not 660; --no-sandbox keeps both') member=narrower ;;
    *) member=$(cat errors) ;;
    esac
    is 'a member of the group gives it no other group either' "$member" \
        "$(gf --version | grep -qE '^sandbox: (.*and )?system calls' && echo narrower || echo kept)"
    is 'a member of the group can keep the group without the sandbox' \
        "$(change_group 660 65534,12345 --no-sandbox; cat errors)" '65534 12345 660'
    change_group 660 65534 --strict >said
    is '--strict replaces nothing then' "$(cmp in.ppm "$theirs/moded.ppm"; stat -c '%g %a' "$theirs/moded.ppm")" \
        '12345 660'
else
    skip 'no other user can run the program here'
fi
# Access control lists, if something here can set them: user 23456 may write, the group may only read.
list() # FILE NAME GROUP: sets the list
{
    python3 -c 'import os, struct, sys
row = lambda tag, perm, who=0xffffffff: struct.pack("<HHI", tag, perm, who)
os.setxattr(sys.argv[1], "system.posix_acl_" + sys.argv[2], struct.pack("<I", 2) + row(1, 6) + row(2, 6, 23456)
            + row(4, int(sys.argv[3])) + row(16, 6) + row(32, 0))' "$@" 2>/dev/null
}
mkdir listed
cp in.ppm listed/in.ppm
chmod 600 listed/in.ppm
if list listed/in.ppm access 4; then
    gf -i listed/in.ppm invert -o listed/in.ppm 2>errors
    is 'the group does not get the rights of a user in a list' "$(stat -c %a listed/in.ppm)" 640
    is 'a warning says that the access control list is not kept' \
        "$(grep -c 'cannot have the access control list .* its mode is 640, not 660' errors)" 1
    list listed default 4
    cp in.ppm listed/same.ppm
    chmod 660 listed/same.ppm
    works 'a file with the list of its folder' gf -i listed/same.ppm invert -o listed/same.ppm
    is 'a file with the list of its folder keeps it' "$(stat -c %a listed/same.ppm; python3 -c 'import os, sys
print(len(os.getxattr("listed/same.ppm", "system.posix_acl_access")))')" '660
44'
    cp in.ppm plain.ppm
    chmod 640 plain.ppm
    mv plain.ppm listed/plain.ppm
    gf -i listed/plain.ppm invert -o listed/plain.ppm 2>errors
    is 'a file without a list gives no rights to users in the list of its folder' "$(stat -c %a listed/plain.ppm)" 600
else
    skip 'access control lists need python3 and a file system that has them'
fi
mkdir moded
for i in 1 2 3 4 5 6 7 8; do
    cp in.ppm moded/$i.ppm
    [ $((i % 2)) = 0 ] || { cp in.ppm moded/out-$i.ppm && chmod 666 moded/out-$i.ppm; }
done
(umask 027; gf -q -j 4 -i moded/[1-8].ppm invert -o moded/out-{stem}.ppm)
is 'outputs keep more permissions than the umask allows, beside new ones' "$(stat -c %a moded/out-* | tr '\n' ' ')" \
    '666 640 666 640 666 640 666 640 '
mkfifo pipe
cat pipe >from-pipe.ppm &
gf -i in.ppm invert -o pipe
wait
same twice.ppm from-pipe.ppm 'a FIFO is written to'
is 'a FIFO that is written to stays a FIFO' "$(test -p pipe && echo yes)" yes
mkdir locked
chmod 555 locked
if [ "$(id -u)" = 0 ]; then
    skip 'root may write anywhere'
else
    refuses 1 'locked' 'a folder that may not be written' gf -i in.ppm invert -o locked/o.ppm
fi

# ---- readers that stop early

image wide.ppm 1000 700 3 255 1
{ gf -i wide.ppm invert; echo $? >status; } 2>errors | head -c 1 >first
is 'gpufilter ends quietly if the reader stops' "$(cat errors status)" 0
sound long.wav 200000 2 3
{ gf -i long.wav invert; echo $? >status; } 2>errors | head -c 1 >first
is 'gpufilter ends quietly if the reader of audio stops' "$(cat errors status)" 0

mkdir alone
cp wide.ppm alone
{ gf -i alone/ -t ppm; echo $? >status; } 2>errors | head -c 1 >first
is 'gpufilter ends quietly if the reader of a folder stops' "$(cat errors status)" 0

# ---- names from standard input

works 'a pattern for standard input' sh -c '"$0" invert -o "{stem}-{dir}x.{ext}ppm" <in.ppm' "$GPUFILTER"
same twice.ppm stdin-.x.ppm 'calls it stdin'

# ---- interrupted

mkfifo slow
sleep 30 >slow &
sleeper=$!
"$GPUFILTER" -i slow invert -o interrupted.ppm &
runner=$!
sleep 1
kill -TERM $runner
wait $runner 2>/dev/null
is 'an interruption is one' $? 143
kill $sleeper 2>/dev/null
is 'an interruption leaves no file' "$(ls -A | grep interrupted)" ''
finish
