# Compares PngSuite with vips. Run by make check-suites. The images are downloaded and not part of
# the sources.
# PNGSUITE is a folder with the images. If it is not set, a selection comes from a package on PyPI.
. "$(dirname "$0")/../lib.sh"

if [ -z "$PNGSUITE" ]; then
    PNGSUITE=$scratch/suite
    mkdir "$PNGSUITE"
    python3 -m pip download -q --no-deps --no-binary :all: -d package pypng==0.20220715.0 >errors 2>&1 \
        && tar xzf package/*.tar.gz ||
        skip_all "PngSuite can't be fetched; PNGSUITE=FOLDER names a copy"
    (cd pypng-*/code && python3 -c 'import pngsuite, sys
for name, data in pngsuite.png.items():
    open(sys.argv[1] + "/" + name + ".png", "wb").write(data)' "$PNGSUITE")
fi
command -v vips >/dev/null || skip_all 'no vips here to compare with'

# samples FILE.pam: writes the samples without a header, in native byte order.
samples()
{
    head=$(awk '{ n += length($0) + 1 } /^ENDHDR$/ { print n; exit }' "$1")
    if [ "$(awk '/^MAXVAL/ { print $2; exit }' "$1")" -gt 255 ]; then
        tail -c +$((head + 1)) "$1" | dd conv=swab 2>/dev/null
    else
        tail -c +$((head + 1)) "$1"
    fi
}

for file in "$PNGSUITE"/*.png; do
    [ -e "$file" ] || { fail "no PNG in $PNGSUITE"; break; }
    name=${file##*/}
    case $name in
    x*) refuses 1 "$name" "$name is refused" gf -i "$file" -t pam ;;        # they are broken on purpose
    *)
        works "$name" gf -q -i "$file" -t pam -o ours.pam
        samples ours.pam >ours.raw 2>&1
        vips rawsave "$file" theirs.raw >errors 2>&1
        same ours.raw theirs.raw "$name has the samples that vips reads"
        gf -q -i "$file" -o again.png && gf -q -i again.png -t pam >again.pam
        same ours.pam again.pam "$name is the same once written"
        ;;
    esac
done
echo "1..$tests"
[ $failures = 0 ]                    # what make wants to know
