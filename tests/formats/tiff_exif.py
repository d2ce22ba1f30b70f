"""Prints NAME|same for each case in which EXIF of a TIFF arrives as it was meant: tiff_exif.py GPUFILTER"""
import shutil
import struct
import subprocess
import sys

BYTE, ASCII, SHORT, LONG, RATIONAL, UNDEFINED, SRATIONAL, IFD8 = 1, 2, 3, 4, 5, 7, 10, 18
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8, 13: 4, 16: 8, 18: 8}
CODES = {1: 'B', 2: 's', 3: 'H', 4: 'I', 5: 'I', 7: 's', 9: 'i', 10: 'i', 13: 'I', 16: 'Q', 18: 'Q'}
PHOTO, PLACE, INTEROP = 34665, 34853, 40965

MAIN = [(11, ASCII, b'A program\0'), (50708, ASCII, b'Camera X\0'),
        (271, ASCII, b'Maker\0'), (272, ASCII, b'Model X\0'), (306, ASCII, b'2022:02:02 02:02:02\0'),
        (315, ASCII, b'An Artist\0'), (0x4746, SHORT, [3]), (0x9C9B, BYTE, list(b'T\0i\0\0\0'))]
CAMERA = [(0x829A, RATIONAL, [1, 250]), (0x8827, SHORT, [200]), (0x9000, UNDEFINED, b'0230'),
          (0x9003, ASCII, b'2020:01:02 03:04:05\0'), (0x9204, SRATIONAL, [-1, 3]), (0x9214, SHORT, [5, 4, 2, 2]),
          (0x927C, UNDEFINED, b'MAKERNOTE-0123456789'), (0xA002, LONG, [12]), (0xA003, LONG, [8]),
          (0xA434, ASCII, b'Lens 50\0')]
WHERE = [(0, BYTE, [2, 3, 0, 0]), (1, ASCII, b'N\0'), (2, RATIONAL, [48, 1, 6, 1, 0, 1]), (3, ASCII, b'E\0'),
         (4, RATIONAL, [11, 1, 30, 1, 0, 1])]
INNER = [(1, ASCII, b'R98\0'), (2, UNDEFINED, b'0100')]


class File:
    """A TIFF that is written."""

    def __init__(self, order, big=False):
        self.order, self.big, self.link = order, big, 8 if big else 4
        self.bytes = bytearray(b'II' if order == '<' else b'MM')
        self.bytes += struct.pack(order + ('HHHQ' if big else 'HI'), *((43, 8, 0, 0) if big else (42, 0)))

    def pack(self, kind, value):
        if isinstance(value, bytes):
            return value
        return struct.pack(self.order + str(len(value)) + CODES[kind], *value)

    def directory(self, entries):
        """Appends a directory. An entry is (tag, type, values), or (tag, type, count, bytes of the value's place)."""
        word, code = (8, 'Q') if self.big else (4, 'I')
        self.bytes += bytes(len(self.bytes) % 2)
        at, table = len(self.bytes), struct.pack(self.order + ('Q' if self.big else 'H'), len(entries))
        self.bytes += bytes(len(table) + len(entries) * (4 + 2 * word) + word)
        for entry in sorted(entries, key=lambda e: e[0]):
            tag, kind = entry[:2]
            if len(entry) == 4:
                count, value = entry[2], entry[3]
            else:
                value = self.pack(kind, entry[2])
                count = len(value) // SIZES.get(kind, 1)
            if len(value) > word:
                self.bytes += bytes(len(self.bytes) % 2)
                at_value = len(self.bytes)
                self.bytes += value
                value = struct.pack(self.order + code, at_value)
            table += struct.pack(self.order + 'HH' + code, tag, kind, count) + value.ljust(word, b'\0')
        self.bytes[at:at + len(table)] = table
        return at

    def pointer(self, tag, at):
        return (tag, IFD8 if self.big else LONG, [at])

    def exif(self, camera=CAMERA, where=WHERE, main=MAIN):
        """Appends EXIF and the place, and returns the entries of the main directory."""
        inner = self.pointer(INTEROP, self.directory(INNER))
        photo = self.directory(camera + [inner])
        return main + [self.pointer(PHOTO, photo), self.pointer(PLACE, self.directory(where))]

    def page(self, more):
        """Appends a page of 12x8 gray pixels."""
        at = len(self.bytes)
        self.bytes += bytes(range(96))
        page = self.directory([(256, SHORT, [12]), (257, SHORT, [8]), (258, SHORT, [8]), (259, SHORT, [1]),
                               (262, SHORT, [1]), (273, LONG, [at]), (277, SHORT, [1]), (278, SHORT, [8]),
                               (279, LONG, [96])] + more)
        struct.pack_into(self.order + ('Q' if self.big else 'I'), self.bytes, self.link, page)
        count = struct.unpack_from(self.order + ('Q' if self.big else 'H'), self.bytes, page)[0]
        self.link = page + (8 + 20 * count if self.big else 2 + 12 * count)

    def write(self, name):
        with open(name, 'wb') as out:
            out.write(self.bytes)
        return name


def read_directory(b, order, at):
    """Returns the entries of a directory by tag, and the offset of the next one."""
    entries, count = {}, struct.unpack_from(order + 'H', b, at)[0]
    for at in range(at + 2, at + 2 + 12 * count, 12):
        tag, kind, n = struct.unpack_from(order + 'HHI', b, at)
        size = n * SIZES[kind]
        place = at + 8 if size <= 4 else struct.unpack_from(order + 'I', b, at + 8)[0]
        if CODES[kind] == 's':
            entries[tag] = bytes(b[place:place + size])
        else:
            items = n * 2 if kind in (RATIONAL, SRATIONAL) else n
            entries[tag] = list(struct.unpack_from(f'{order}{items}{CODES[kind]}', b, place))
    return entries, struct.unpack_from(order + 'I', b, at + 12 if count else at)[0]


def block(name):
    """Returns the block of EXIF in a file, or b''; a TIFF is one itself."""
    with open(name, 'rb') as file:
        b = file.read()
    for mark, before in ((b'Exif\0\0', 0), (b'eXIf', 0), (b'EXIF', 4)):
        at = b.find(mark)
        if at >= 0 and not name.endswith('tif'):
            return b[at + len(mark) + before:]
    return b if name.endswith('tif') else b''


def read(name, page=0):
    """Returns the main directory of a page, and those of EXIF, the place and interoperability."""
    b = block(name)
    if not b:
        return {}, {}, {}, {}
    order = '<' if b[:1] == b'I' else '>'
    at = struct.unpack_from(order + 'I', b, 4)[0]
    for _ in range(page + 1):
        main, at = read_directory(b, order, at)
    inner = [read_directory(b, order, main[tag][0])[0] if tag in main else {} for tag in (PHOTO, PLACE)]
    inner.append(read_directory(b, order, inner[0][INTEROP][0])[0] if INTEROP in inner[0] else {})
    return [main] + inner


def facts(entries):
    return {e[0]: e[2] for e in entries}


def run(*arguments):
    """Returns the status and the messages of gpufilter."""
    done = subprocess.run([sys.argv[1], *arguments], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False)
    return done.returncode, done.stderr.decode()


def case(name, found, wanted):
    print(f'{name}|{"same" if found == wanted else f"{found!r} instead of {wanted!r}"}'.replace('\n', ' '))


def has(name, page=0, main=MAIN, camera=CAMERA, where=WHERE, inner=INNER):
    """Returns True, or the directories, if the file has these entries and no others besides those of pixels."""
    found = read(name, page)
    found[1] = {tag: v for tag, v in found[1].items() if tag != INTEROP}
    same = found[1:] == [facts(camera), facts(where), facts(inner)]
    return True if same and all(found[0].get(tag) == v for tag, v in facts(main).items()) else found


def check_kept():
    for order, word in (('<', 'little-endian'), ('>', 'big-endian')):
        for big in (False, True):
            file = File(order, big)
            name = file.exif()
            file.page(name)
            name = file.write('in.tif')
            kind = f'{word} {"BigTIFF" if big else "TIFF"}'
            for extension in ('tif', 'png', 'jpg', 'webp'):
                out = 'out.' + extension
                case(f'EXIF of a {kind} in {extension}, without a warning', (run('-i', name, '-o', out), has(out)),
                     ((0, ''), True))
                case(f'EXIF of a {kind} in {extension}, and back in TIFF', (run('-i', out, '-o', 'back.tif'),
                     has('back.tif')), ((0, ''), True))
    with open('in.tif', 'rb') as pipe:
        done = subprocess.run([sys.argv[1], '-o', 'piped.png'], stdin=pipe, check=False)
    case('EXIF of a TIFF on a pipe is kept', (done.returncode, has('piped.png')), (0, True))
    with open('piped.tif', 'wb') as out:
        subprocess.run([sys.argv[1], '-i', 'piped.png', '-t', 'tiff'], stdout=out, check=True)
    case('EXIF of a TIFF that is written to a pipe', has('piped.tif'), True)


def check_changed():
    run('-i', 'in.tif', 'crop:6x4+4+3', '-o', 'crop.tif')
    camera = {**facts(CAMERA), 0xA002: [6], 0xA003: [4], 0x9214: [1, 1, 2, 2]}
    case('EXIF of a cropped TIFF has its size and its subject',
         has('crop.tif', camera=[(tag, 0, v) for tag, v in camera.items()]), True)
    run('-i', 'in.tif', '--strip=gps', '-o', 'strip.tif')
    case('EXIF of a TIFF without the place', has('strip.tif', where=[]), True)
    with open('strip.tif', 'rb') as file:
        case('the bytes of the place are not in the file', b'\x30\0\0\0\x01\0\0\0\x06\0\0\0' in file.read(), False)
    run('-i', 'in.tif', '--strip=exif', '-o', 'strip.tif')
    case('a TIFF without EXIF', has('strip.tif', main=[], camera=[], where=[], inner=[]), True)
    for extension in ('tif', 'png', 'jpg'):
        run('-i', 'in.tif', '--strip=text', '-o', 'text.' + extension)
        with open('text.' + extension, 'rb') as file:
            case(f'the artist of a TIFF is a text that --strip=text drops from {extension}',
                 b'Artist' in file.read(), False)
    run('-i', 'in.tif', '-o', 'comment.jpg')
    with open('comment.jpg', 'rb') as file:
        case('a text of EXIF is not repeated as a comment', file.read().count(b'An Artist'), 1)


def check_pages():
    file = File('>')
    for i in range(3):
        file.page(file.exif([(0x8827, SHORT, [100 + i])], [(1, ASCII, b'NSN'[i:i + 1] + b'\0')]) if i != 1 else [])
    name = file.write('pages.tif')
    case('three pages, one of them without EXIF', run('-i', name, '-o', 'many.tif'), (0, ''))
    found = [read('many.tif', i)[1:3] for i in range(3)]
    for pair in found:
        pair[0].pop(INTEROP, None)
    case('each page has its own EXIF', found, [[{0x8827: [100]}, {1: b'N\0'}], [{}, {}],
                                               [{0x8827: [102]}, {1: b'N\0'}]])


LOST = 'gpufilter: warning: bad.tif: some of its EXIF is damaged and is lost\n'


def check_damage():
    far, long = struct.pack('<I', 0xFFFFFF00), 0xFFFFFFFF
    for title, camera in (
            ('values beyond the file', [(0x9286, UNDEFINED, 100, far)]),
            ('four billion values', [(0x9286, UNDEFINED, long, struct.pack('<I', 8))]),
            ('four billion fractions', [(0x829A, RATIONAL, long, struct.pack('<I', 8))]),
            ('an unknown type', [(0x829A, 77, 1, b'abcd')]),
            ('a tag twice', [(0x8827, SHORT, [7])]),
            ('interoperability in EXIF itself', [(INTEROP, LONG, [8])])):
        file = File('<')
        photo = file.directory([e for e in CAMERA] + camera)
        file.page(MAIN + [(PHOTO, LONG, [photo])])
        file.write('bad.tif')
        good = 'itself' not in title or photo == 8
        case(f'EXIF with {title} loses only that', (run('-i', 'bad.tif', '-o', 'bad.png'), good,
             has('bad.png', where=[], inner=[])), ((0, LOST), True, True))
    for title, value in (('beyond the file', 0xFFFFFF00), ('at the end of the file', None), ('at zero', 0)):
        file = File('<')
        file.page(MAIN + [(PHOTO, LONG, [8 if value is None else value])])
        if value is None:
            at = bytes(file.bytes).find(struct.pack('<HHII', PHOTO, LONG, 1, 8))
            struct.pack_into('<I', file.bytes, at + 8, len(file.bytes) - 1)
        file.write('bad.tif')
        case(f'an EXIF directory {title} is lost', (run('-i', 'bad.tif', '-o', 'bad.png'),
             has('bad.png', camera=[], where=[], inner=[])), ((0, LOST), True))
    file = File('<')
    file.page(MAIN + [(PHOTO, LONG, [8]), (PLACE, LONG, [8])])
    page = struct.unpack_from('<I', file.bytes, 4)[0]
    b = bytes(file.bytes)
    for tag in (PHOTO, PLACE):
        b = b.replace(struct.pack('<HHII', tag, LONG, 1, 8), struct.pack('<HHII', tag, LONG, 1, page))
    with open('bad.tif', 'wb') as out:
        out.write(b)
    case('EXIF that is the page itself is lost', (run('-i', 'bad.tif', '-o', 'bad.png'),
         has('bad.png', camera=[], where=[], inner=[])), ((0, LOST), True))
    case('damaged EXIF that is stripped needs no warning', run('-i', 'bad.tif', '--strip=exif', '-o', 'bad.png'), (0, ''))


def check_thumbnail_place():
    """The directory of a thumbnail of a JPEG may have a place, too."""
    file = File('<')
    file.directory([(271, ASCII, b'Maker\0')])
    main = file.directory([(271, ASCII, b'Maker\0')])
    struct.pack_into('<I', file.bytes, 4, main)
    link = main + 2 + 12
    secret = file.directory([(1, ASCII, b'N\0'), (0x1D, ASCII, b'SECRET:DAY\0')])
    second = file.directory([(259, SHORT, [6]), (PLACE, LONG, [secret])])
    struct.pack_into('<I', file.bytes, link, second)
    run('-i', 'in.tif', '--strip', '-o', 'plain.jpg')
    with open('plain.jpg', 'rb') as plain, open('thumb.jpg', 'wb') as out:
        b = plain.read()
        body = b'Exif\0\0' + bytes(file.bytes)
        out.write(b[:2] + b'\xff\xe1' + struct.pack('>H', len(body) + 2) + body + b[2:])
    for options, there in (([], True), (['--strip=gps'], False), (['--strip=thumbnail'], False)):
        run('-i', 'thumb.jpg', *options, '-o', 'out.jpg')
        with open('out.jpg', 'rb') as found:
            case(f'the place of a thumbnail with {options or "no option"}', b'SECRET' in found.read(), there)


def check_others():
    try:
        from PIL import Image
    except ImportError:
        Image = None
    if Image is not None:
        run('-i', 'in.tif', '-o', 'pillow.tif')
        exif = Image.open('pillow.tif').getexif()
        photo, place = exif.get_ifd(PHOTO), exif.get_ifd(PLACE)
        case('Pillow reads EXIF of a TIFF', (exif[271], photo[0x8827], photo[0xA434], float(photo[0x829A]), place[1],
             [float(v) for v in place[2]]), ('Maker', 200, 'Lens 50', .004, 'N', [48, 6, 0]))
    if shutil.which('exiftool'):
        run('-i', 'in.tif', '-o', 'exiftool.tif')
        done = subprocess.run(['exiftool', '-s3', '-n', '-warning', '-Make', '-ISO', '-LensModel', '-GPSLatitude#',
                               '-InteropIndex', '-Rating', 'exiftool.tif'], stdout=subprocess.PIPE, check=False)
        case('exiftool reads EXIF of a TIFF', done.stdout.decode().split('\n'),
             ['Maker', '200', 'Lens 50', '48.1', 'R98', '3', ''])


check_kept()
check_changed()
check_pages()
check_damage()
check_thumbnail_place()
check_others()
