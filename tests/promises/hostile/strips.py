"""TIFF strips whose own headers lie, that share bytes, or that decoders need much memory for."""
import lzma
import zlib

from builders import accepted, big, image_tags, little, refused, tiff
from compressed import segment

LIMIT = '--max-memory 16M --memory 16M'
TOO_MUCH = 'the limit is 16.0 MB|configured'     # libtiff may be built without a codec


def page(data, width, height, packing, bits=8, strips=1, **changed):
    """A page of one strip, or of strips of one row that all are `data`."""
    tags = {'t259': (3, 1, packing), 't273': (4, 1, 8), 't279': (4, 1, len(data)), **changed}
    if strips > 1:
        tags.update(t273=(4, strips, little('I', 8) * strips), t278=(4, 1, 1),
                    t279=(4, strips, little('I', len(data)) * strips))
    data += bytes(len(data) % 2)
    file = tiff(image_tags(width, height, bits, **tags), at=8 + len(data))
    return file[:8] + data + file[8 + len(data):]


# ---- JBIG: white, in groups of 128 rows

MIRROR = bytes(int(format(b, '08b')[::-1], 2) for b in range(256))


def jbig(width, height, planes=1, groups=None, end=b''):
    head = bytes((0, 0, planes, 0)) + big('III', width, height, 128) + b'\x08\0\x03\x1c'
    return head + b'\xff\2' * ((height + 127) // 128 if groups is None else groups) + end


def jbig_pages():
    large = jbig(110000, 110000)
    refused('JBIG: 110000 by 110000 in a page of 16 by 16', 'jbig.tif', page(large.translate(MIRROR), 16, 16, 34661, 1),
            'jbig.tif.* says 110000x110000', LIMIT)
    refused('JBIG: the same in the other order of bits', 'jbig2.tif', page(large, 16, 16, 34661, 1, t266=(3, 1, 2)),
            'says 110000x110000', LIMIT)
    longer = jbig(16000, 16, end=b'\xff\5' + big('I', 110000) + b'\xff\2' * 859)
    refused('JBIG: a marker makes it higher', 'newlen.tif', page(longer.translate(MIRROR), 16000, 16, 34661, 1),
            'says 16000x110000', LIMIT)
    refused('JBIG: 200 planes', 'jbigs.tif', page(jbig(16, 16, 200).translate(MIRROR), 16, 16, 34661, 1),
            'JBIG header is damaged', LIMIT)
    refused('JBIG: a header that is cut', 'jbigc.tif', page(jbig(16, 16)[:17].translate(MIRROR), 16, 16, 34661, 1),
            'JBIG header is damaged', LIMIT)
    for name, data, order in (('', jbig(64, 64).translate(MIRROR), 1), (' in the other order', jbig(64, 64), 2),
                              (' whose height follows', jbig(64, 2**32 - 1, groups=1, end=b'\xff\5' + big('I', 64)), 2)):
        accepted('JBIG: white' + name, 'white.tif', page(data, 64, 64, 34661, 1, t266=(3, 1, order)), None, LIMIT)
    accepted('JBIG: 12000 by 12000', 'white12k.tif', page(jbig(12000, 12000).translate(MIRROR), 12000, 12000, 34661, 1),
             output='pbm')


# ---- JPEG

def jpeg(width, height, kind=0xc2, channels=1, scans=b''):
    frame = b'\x08' + big('HH', height, width) + bytes((channels,))
    frame += b''.join(bytes((c + 1, 0x11, 0)) for c in range(channels))
    return (b'\xff\xd8' + segment(0xdb, b'\0' + b'\1' * 64) + segment(kind, frame)
            + segment(0xc4, b'\0' + bytes([1] + [0] * 15) + b'\0') + scans + b'\xff\xd9')


def first_scan(width, height):
    """The mean of each block, of which all are the same: one bit each."""
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    return segment(0xda, b'\1\1\0\0\0\0') + bytes((blocks + 7) // 8)


def jpeg_pages():
    dots = segment(0xda, b'\1\1\0\0\0\0') + b'\0'
    refused('JPEG in TIFF: progressive, of 20000 by 20000', 'coefficients.tif',
            page(jpeg(20000, 20000, scans=dots), 20000, 20000, 7), '763.* 16.0 MB', LIMIT)
    refused('JPEG in TIFF: the last strip is longer than the page', 'longer.tif',
            page(jpeg(20000, 20000, scans=dots), 20000, 8, 7), '16.0 MB', LIMIT)
    refused('JPEG in TIFF: not progressive, but a scan for each channel', 'apart.tif',
            page(jpeg(20000, 20000, 0xc0, 3, dots), 20000, 20000, 7, t258=(3, 3, little('3H', 8, 8, 8)),
                 t262=(3, 1, 2), t277=(3, 1, 3)), '16.0 MB', LIMIT)
    refused('JPEG in TIFF: progressive, with bytes before its header', 'fill.tif',
            page(jpeg(20000, 20000, scans=dots).replace(b'\xff\xc2', b'\0\1\xff\xff\xff\xc2'), 20000, 20000, 7),
            '16.0 MB', LIMIT)
    whole = jpeg(256, 256, scans=first_scan(256, 256))
    accepted('JPEG in TIFF: progressive', 'progressive.tif', page(whole, 256, 256, 7))
    refused('JPEG in TIFF: progressive and cut', 'cut-jpeg.tif', page(whole[:-100], 256, 256, 7),
            'Premature end of JPEG file')


# ---- xz and zstd

def xz(size, dictionary):
    """Zeros. The dictionary is larger in the header than it was for the compression, which needs memory."""
    packer = lzma.LZMACompressor(lzma.FORMAT_XZ, lzma.CHECK_CRC64, filters=[
        {'id': lzma.FILTER_DELTA, 'dist': 1}, {'id': lzma.FILTER_LZMA2, 'preset': 0, 'dict_size': 1 << 12}])
    packed = b''.join([packer.compress(bytes(1 << 12)) for _ in range(size >> 12)] + [packer.flush()])
    head = bytearray(packed[12:12 + 4 * (1 + packed[12])])
    head[head.index(b'\x21\1') + 2] = 2 * (dictionary.bit_length() - 1 - 12)
    head[-4:] = little('I', zlib.crc32(head[:-4]))
    return packed[:12] + bytes(head) + packed[12 + len(head):]


def block(stream):
    """The only block of an xz stream, which ends with an index and 12 bytes that say how long that is."""
    return stream[12:-12 - 4 * (1 + int.from_bytes(stream[-8:-4], 'little'))]


def zstd(size, window=27):
    """Zeros in runs of 128 KB."""
    runs = b''.join(little('I', (1 << 17) << 3 | 2 | (left <= 1 << 17))[:3] + b'\0' for left in range(size, 0, -(1 << 17)))
    return b'\x28\xb5\x2f\xfd\0' + bytes(((window - 10) << 3,)) + runs


def windows():
    side = 8192
    large, small = xz(side * side, 1 << 30), xz(side, 1 << 12)
    refused('xz in TIFF: a dictionary of 1 GB', 'xz.tif', page(large, side, side, 34925), TOO_MUCH, LIMIT)
    refused('xz in TIFF: a dictionary of 1 GB in the second block', 'xz2.tif',
            page(small[:12] + block(small) + block(large), side, side, 34925), TOO_MUCH, LIMIT)
    refused('zstd in TIFF: a window of 128 MB', 'zstd.tif', page(zstd(side * side), side, side, 50000), TOO_MUCH, LIMIT)
    skipped = b'\x5a\x2a\x4d\x18' + little('I', 3) + b'abc'
    refused('zstd in TIFF: a window of 128 MB in the second frame', 'zstd2.tif',
            page(zstd(1 << 17, 17) + skipped + zstd(side * side), side, side, 50000), TOO_MUCH, LIMIT)


# ---- bytes that are used often

def shared():
    slow = b'\x80' * 300000 + b'\0\0'            # PackBits: 300000 times nothing, then a byte
    refused('TIFF: 50000 strips share 300 KB', 'slow.tif', page(slow, 1, 50000, 32773, strips=50000),
            'more than 100 times as long as the file')
    slow = b'\x78\x9c' + b'\0\0\0\xff\xff' * 60000 + zlib.compress(b'\0')[2:]
    refused('TIFF: 30000 strips share 300 KB of deflate', 'slower.tif', page(slow, 1, 30000, 8, strips=30000),
            'more than 100 times as long as the file')
    tile = bytes(16384)
    accepted('TIFF: 4096 empty tiles are one', 'tiles1.tif', page(
        tile, 8192, 8192, 1, t273=None, t278=None, t279=None, t322=(4, 1, 128), t323=(4, 1, 128),
        t324=(4, 4096, little('I', 8) * 4096), t325=(4, 4096, little('I', len(tile)) * 4096)), output='pgm')
    tags = [(256, 4, 1, 1), (257, 4, 1, 1), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8),
            (277, 3, 1, 1), (278, 4, 1, 1), (279, 4, 1, 1), (700, 1, 200000, 8)]
    entries = b''.join(little('HHII', *tag) for tag in tags)
    file = b'II*\0' + little('I', 200008) + bytes(200000)
    for number in range(1000):
        following = len(file) + 2 + len(entries) + 4 if number < 999 else 0
        file += little('H', len(tags)) + entries + little('I', following)
    refused('TIFF: 1000 pages share 200 KB of XMP', 'xmp.tif', file, 'share the same metadata too often', output='tif')


def add():
    jbig_pages()
    jpeg_pages()
    windows()
    shared()
    accepted('TIFF: a fax of 16000 by 16000 in one strip', 'fax.tif', page(b'\xff' * 2000 + b'\0\1\0\1', 16000, 16000, 4, 1),
             output='pbm')
