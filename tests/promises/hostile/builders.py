"""Builders of damaged files, and the list of cases that hostile.sh reads."""
import struct
import zlib

cases = []


def case(name, file, data, status, pattern, arguments='', output='ppm'):
    """Adds a case and writes its input. Status 0 without a pattern means silence."""
    if data is not None:
        with open(file, 'wb') as out:
            out.write(data)
    cases.append((name, file, str(status), pattern or '-', output, arguments or '-'))


def refused(name, file, data, pattern, arguments='', output='ppm'):
    case(name, file, data, 1, pattern, arguments, output)


def accepted(name, file, data, warning=None, arguments='', output='ppm'):
    case(name, file, data, 0, warning, arguments, output)


def little(letters, *values):
    return struct.pack('<' + letters, *values)


def big(letters, *values):
    return struct.pack('>' + letters, *values)


# ---- PNG

PNG = b'\x89PNG\r\n\x1a\n'


def chunk(kind, data=b'', crc=None, length=None):
    true = zlib.crc32(kind + data)
    return big('I', len(data) if length is None else length) + kind + data + big('I', true if crc is None else crc)


def header(width, height, depth=8, color=0, method=0, laced=0):
    return chunk(b'IHDR', big('IIBBBBB', width, height, depth, color, 0, method, laced))


def pixels(rows):
    return chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows)))


GRAY = pixels([b'\x40\x80\xc0\xff'] * 4)
END = chunk(b'IEND')


def frame(number, width, height, left, top):
    return chunk(b'fcTL', big('IIIIIHHBB', number, width, height, left, top, 1, 10, 0, 0))


def bomb(megabytes):
    """Zeros that deflate makes 1000 times smaller."""
    packer = zlib.compressobj(9)
    return b''.join([packer.compress(bytes(1 << 20)) for _ in range(megabytes)] + [packer.flush()])


# ---- TIFF: entries are (tag, type, count, value); bytes as a value are placed after the directory

SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 12: 8, 13: 4, 16: 8}


def tiff(entries, data=b'', following=0, at=8):
    """One directory at byte `at`, its values, then data. STRIP as a value is where data starts."""
    entries = sorted(entries)
    start = at + 2 + 12 * len(entries) + 4
    values = b''.join(value for *_, value in entries if isinstance(value, bytes))
    out, place = little('H', len(entries)), start
    for tag, kind, count, value in entries:
        if isinstance(value, bytes):
            place, value = place + len(value), place
        elif value == 'STRIP':
            value = start + len(values)
        out += little('HHI', tag, kind, count) + little('I', value)
    return b'II*\0' + little('I', at) + bytes(at - 8) + out + little('I', following) + values + data


def image_tags(width=4, height=4, bits=8, **changed):
    """The tags of a gray image of one strip; changed replaces or, by None, removes one (t258=...)."""
    tags = {256: (4, 1, width), 257: (4, 1, height), 258: (3, 1, bits), 259: (3, 1, 1), 262: (3, 1, 1),
            273: (4, 1, 'STRIP'), 277: (3, 1, 1), 278: (4, 1, height), 279: (4, 1, width * height * bits // 8 % 2**32)}
    for name, value in changed.items():
        tags[int(name[1:])] = value
    return [(tag, *value) for tag, value in tags.items() if value]


# ---- audio

def riff(kind, *chunks):
    body = kind + b''.join(chunks)
    return b'RIFF' + little('I', len(body)) + body


def piece(kind, data, length=None):
    """A chunk of RIFF."""
    return kind + little('I', len(data) if length is None else length) + data + bytes(len(data) & 1)


def sound_format(code=1, channels=1, rate=48000, bits=16, align=None, per_second=None):
    align = channels * bits // 8 if align is None else align
    per_second = rate * align if per_second is None else per_second
    return piece(b'fmt ', little('HHIIHH', code, channels, rate % 2**32, per_second % 2**32, align % 65536, bits))


SAMPLES = little('8h', 0, 1000, 2000, 3000, -3000, -2000, -1000, 0)


def aiff(rate, frames=8, channels=1, bits=16, samples=SAMPLES, offset=0):
    common = b'COMM' + big('IhIh', 18, channels, frames, bits) + rate
    sound = b'SSND' + big('III', 8 + len(samples), offset, 0) + samples
    return b'FORM' + big('I', 4 + len(common + sound)) + b'AIFF' + common + sound
