# Hostile inputs: false sizes, cycles, bombs, contradictions, files that are no files. Each has to end with the
# expected status and one line, quickly, in little memory, and without an output after an error.
. "$(dirname "$0")/../lib.sh"
python3 -c 'import os; os.waitstatus_to_exitcode' 2>/dev/null || skip_all 'python3 of version 3.9 is missing'

sound base.wav 3000 1 1
image base.ppm 64 64 3 255 1
for kind in aiff au caf flac ogg w64; do
    gf -i base.wav -o base.$kind || exit 99
done
gf -i base.ppm -o base.jpg && gf -i base.ppm -o base.webp || exit 99
sanitized=no
! gf --version | grep -q '^sanitizer: ' || sanitized=yes
PYTHONDONTWRITEBYTECODE=1 python3 "$here/hostile/run.py" "$GPUFILTER" $sanitized >results 2>crash
while IFS='	' read -r name wrong; do
    if [ -z "$wrong" ]; then
        pass "$name"
    else
        fail "$name"
        echo "$wrong" | note
    fi
done <results
is 'all hostile cases ran' "$(cat crash)" ''
finish
