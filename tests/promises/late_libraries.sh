# Libraries that are opened late are named in the section .note.dlopen, where packagers look.
. "$(dirname "$0")/../lib.sh"
folder=${GPUFILTER%/*}
[ -f "$folder/config.h" ] || skip_all 'the libraries of the build are not known here'
command -v readelf >/dev/null || skip_all 'readelf is missing'

{ sed -n 's/^#define GF_LATE_[A-Z]* "\(.*\)"/\1/p' "$folder/config.h"; echo libchafa.so.0; } | sort >opened
for program in gpufilter gpufilter-bench; do
    readelf -p .note.dlopen "$folder/$program" | sed -n 's/^ *\[ *[0-9a-f]*\]  \(\[{.*\)/\1/p' >texts
    sed 's/.*"soname":\["\([^"]*\)"\].*/\1/' texts | sort >named
    same named opened "$program: they are named"
    readelf -nW "$folder/$program" | grep -o 'FDO  *0x[0-9a-f]*[^F]*\(0x407c0c0a\|DLOPEN\)' >notes
    is "$program: as notes of the right kind" "$(wc -l <notes)" "$(wc -l <opened)"
    if command -v python3 >/dev/null; then
        python3 - texts >read <<'END'
import json, sys
for line in open(sys.argv[1]):
    for part in json.loads(line):
        print(part['soname'][0], part['priority'] in ('recommended', 'suggested'), part['feature'] != '',
              part['description'] != '')
END
        is "$program: as JSON" "$(grep -c 'True True True$' read)" "$(wc -l <opened)"
    else
        skip "$program: as JSON: python3 is missing"
    fi
done
finish
