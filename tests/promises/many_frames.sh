# The time for an animation grows with its frames and its metadata, not with the product or the square of these.
# Eight times as many frames take about eight times as much CPU time; they took up to sixty times as much.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'times are of no use'
python3 -c 'import os, zlib; os.wait4' 2>/dev/null || skip_all 'python3 is missing'

image dot.ppm 1 1 3 255 1
webp=no
! gf --version | grep -q '^images:.*libwebpdemux' || webp=yes
[ $webp = no ] || gf -i dot.ppm --quality 100 -o dot.webp || exit 99

cat >make.py <<'E2'
import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def apng(frames, profile_bytes, xmp_bytes):
    pixels = zlib.compress(b'\0abc')
    out = [b'\x89PNG\r\n\x1a\n', chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0))]
    if profile_bytes:
        profile = bytearray(profile_bytes)
        profile[:40] = struct.pack('>I8x4s4s4s12x4s', profile_bytes, b'mntr', b'RGB ', b'XYZ ', b'acsp')
        out.append(chunk(b'iCCP', b'x\0\0' + zlib.compress(bytes(profile))))
    if xmp_bytes:
        out.append(chunk(b'iTXt', b'XML:com.adobe.xmp\0\1\0\0\0' + zlib.compress(b'<x:xmpmeta>' + b' ' * xmp_bytes)))
    out.append(chunk(b'acTL', struct.pack('>II', frames, 0)))
    for i in range(frames):
        out.append(chunk(b'fcTL', struct.pack('>IIIIIHHBB', max(2 * i - 1, 0), 1, 1, 0, 0, 1, 25, 0, 0)))
        out.append(chunk(b'fdAT', struct.pack('>I', 2 * i) + pixels) if i > 0 else chunk(b'IDAT', pixels))
    return b''.join(out) + chunk(b'IEND', b'')


def riff(kind, data):
    return kind + struct.pack('<I', len(data)) + data


def webp(frames, profile_bytes):
    image = open('dot.webp', 'rb').read()[12:]
    body = b'WEBP' + riff(b'VP8X', bytes([0x22 if profile_bytes else 2]) + bytes(9))
    if profile_bytes:
        body += riff(b'ICCP', bytes(profile_bytes))
    return riff(b'RIFF', body + riff(b'ANIM', bytes(6)) + frames * riff(b'ANMF', bytes(12) + b'\50\0\0\0' + image))


open(sys.argv[2], 'wb').write(globals()[sys.argv[1]](*map(int, sys.argv[3:])))
E2

cat >measure.py <<'E2'
import os
import subprocess
import sys

program, small, large, most, *arguments = sys.argv[1:]


def seconds(file):
    command = [program, '-q', '--device', 'cpu', '-i', file, *arguments, '-t', 'raw', '-o', 'out.raw']
    status, used = os.wait4(subprocess.Popen(command).pid, 0)[1:]
    assert status == 0, (file, status)
    return used.ru_utime + used.ru_stime


few = min(seconds(small) for k in range(3))
many = min(seconds(large) for k in range(2))
print('yes' if many <= int(most) * few else 'no: %.3f s and %.3f s' % (few, many))
E2

# grows NAME KIND "SMALL" "LARGE" ARGUMENTS...: compares the CPU times for two files of make.py. The second has eight
# times as many frames.
grows()
{
    name=$1 kind=$2 small=$3 large=$4
    shift 4
    python3 make.py "$kind" small.bin $small
    python3 make.py "$kind" large.bin $large
    is "$name" "$(python3 measure.py "$GPUFILTER" small.bin large.bin 16 "$@")" yes
}

grows 'APNG: frames' apng '2000 0 0' '16000 0 0'
grows 'APNG: frames and a profile' apng '100 1000000 0' '800 8000000 0'
grows 'APNG: frames and XMP' apng '100 0 1000000' '800 0 8000000' invert
if [ $webp = yes ]; then
    grows 'WebP: frames' webp '5000 0' '40000 0'
    grows 'WebP: frames and a profile' webp '1000 60000' '8000 480000'
else
    skip 'WebP: built without libwebpdemux'
fi
finish
