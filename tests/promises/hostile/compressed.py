"""JPEG, WebP and PSD: damage to files that the program wrote, and two files that fuzzing found."""
import os

from builders import accepted, big, little, refused


def segment(marker, data, length=None):
    return b'\xff' + bytes([marker]) + big('H', len(data) + 2 if length is None else length) + data


def jpeg(base):
    def bad(name, file, data, arguments=''):
        refused('JPEG: ' + name, file, data, file, arguments)

    size = base.index(b'\xff\xc0')               # the frame header, of 3 channels
    scan, tables = base.index(b'\xff\xda'), base.index(b'\xff\xdb')
    head = base[size:size + 19]

    def changed(place, *values):
        return base[:size + place] + bytes(values) + base[size + place + len(values):]

    bad('no rows', 'zero.jpg', changed(5, 0, 0))
    bad('no columns', 'columns.jpg', changed(7, 0, 0))
    bad('9 channels', 'channels.jpg', changed(9, 9))
    bad('9 bits', 'bits.jpg', changed(4, 9))
    bad('sampling factors of 0', 'factors.jpg', changed(11, 0))
    bad('tables of length 0', 'length.jpg', base[:2] + segment(0xdb, b'', 0) + base[2:])
    bad('a segment beyond the end', 'beyond.jpg', base[:2] + segment(0xfe, b'', 0xffff))
    bad('two frame headers', 'frames.jpg', base[:size] + head + base[size:])
    bad('no tables', 'tables.jpg', base[:tables] + base[size:])
    bad('no scan', 'scan.jpg', base[:scan] + b'\xff\xd9')
    bad('a Huffman table of 4080 codes', 'huffman.jpg',
        base[:size] + segment(0xc4, b'\0' + b'\xff' * 16 + bytes(4080)) + base[size:])
    bad('an end inside a scan', 'cut.jpg', base[:scan + 40])
    bad('65500 by 65500, progressive', 'large.jpg', base[:size] + b'\xff\xc2' + head[2:5] + big('HH', 65500, 65500)
        + base[size + 9:], '--max-memory 150M')
    accepted('JPEG: 100000 comments', 'comments.jpg', base[:2] + 100000 * segment(0xfe, b'c') + base[2:],
             'comments.jpg', output='jpg')
    exif = b'Exif\0\0MM\0*' + big('I', 8)
    accepted('JPEG: an EXIF directory that follows itself', 'cycle.jpg', base[:2] + segment(
        0xe1, exif + big('HHHIHHI', 1, 0x112, 3, 1, 1, 0, 8)) + base[2:], output='jpg')
    accepted('JPEG: EXIF directories that contain each other', 'circle.jpg', base[:2] + segment(
        0xe1, exif + big('HHHIII', 1, 0x8769, 4, 1, 8, 0)) + base[2:], output='jpg')
    accepted('JPEG: an EXIF directory beyond its segment', 'exif.jpg', base[:2] + segment(
        0xe1, exif[:-4] + big('I', 1 << 31)) + base[2:], output='jpg')


def webp(base):
    def bad(name, file, data):
        refused('WebP: ' + name, file, data, file)

    bad('cut in the middle', 'cut.webp', base[:len(base) // 2])
    bad('a length of 2^32-2', 'length.webp', base[:4] + little('I', 2**32 - 2) + base[8:])
    bad('16384 by 16384 in 12 bytes', 'large.webp',
        b'RIFF' + little('I', 24) + b'WEBPVP8L' + little('I', 12) + b'\x2f\xff\xff\xff\x0f' + bytes(7))
    canvas = b'VP8X' + little('I', 10) + b'\x02\0\0\0' + b'\x03\0\0' * 2
    frame = b'ANMF' + little('I', 24) + b'\xff\xff\0' * 2 + b'\x03\0\0' * 2 + bytes(4) + b'VP8L\0\0\0\0'
    body = b'WEBP' + canvas + b'ANIM' + little('I', 6) + bytes(6) + frame
    bad('a frame outside the canvas', 'outside.webp', b'RIFF' + little('I', len(body)) + body)


def add(folder):
    with open('base.jpg', 'rb') as file:
        jpeg(file.read())
    with open('base.webp', 'rb') as file:
        webp(file.read())
    with open(os.path.join(folder, 'alpha.psd'), 'rb') as file:
        accepted('PSD: alpha of 0 beside colors', 'alpha.psd', file.read(), output='png')
    with open(os.path.join(folder, 'headers.ogg'), 'rb') as file:
        refused('Ogg: damaged headers of Vorbis', 'headers.ogg', file.read(), 'headers.ogg', output='wav')
