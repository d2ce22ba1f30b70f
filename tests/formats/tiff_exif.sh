# EXIF and the place of TIFF: all byte orders, damage, pages, --strip. tiff_exif.py makes the files, and reads the
# results with a reader of its own and, if they are there, with Pillow and exiftool.
. "$(dirname "$0")/../lib.sh"

for library in tiff jpeg webp; do
    gf --version | grep -q "^images:.*lib$library" || skip_all "built without lib$library"
done
command -v python3 >/dev/null || skip_all 'no python3 here'
PYTHONDONTWRITEBYTECODE=1 python3 -W ignore "$here/tiff_exif.py" "$GPUFILTER" >cases 2>errors
is 'the script tiff_exif.py ends' "$?" 0
note <errors
while IFS='|' read -r name found; do
    is "$name" "$found" same
done <cases
finish
