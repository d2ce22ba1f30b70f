"""Images with false sizes, contradictions and cycles."""
import zlib

from builders import (END, GRAY, PNG, accepted, big, bomb, chunk, frame, header, image_tags, little, pixels, refused,
                   tiff)


def png():
    text = zlib.compress(b' ' * 200000)
    refused('PNG: cut inside IHDR', 'ihdr.png', (PNG + header(4, 4))[:20], 'ihdr.png')
    refused('PNG: cut after IHDR', 'no-idat.png', PNG + header(4, 4), 'no-idat.png')
    refused('PNG: end without pixels', 'iend.png', PNG + header(4, 4) + END, 'iend.png')
    refused('PNG: a length of 2^31', 'length.png', PNG + header(4, 4) + chunk(b'IDAT', b'abc', length=1 << 31),
            'length.png')
    refused('PNG: an area of 2^62', 'area.png', PNG + header(2**31 - 1, 2**31 - 1, 16, 6) + GRAY + END, 'area.png')
    refused('PNG: no columns', 'zero.png', PNG + header(0, 4) + GRAY + END, 'zero.png')
    refused('PNG: a false CRC of IHDR', 'crc.png',
            PNG + chunk(b'IHDR', big('IIBBBBB', 4, 4, 8, 0, 0, 0, 0), crc=1) + GRAY + END, 'crc.png')
    refused('PNG: a false CRC of IDAT', 'idat-crc.png', PNG + header(4, 4) + GRAY[:-1] + b'!' + END, 'idat-crc.png')
    refused('PNG: two headers', 'twice.png', PNG + header(4, 4) + header(400, 400) + GRAY + END, 'twice.png')
    refused('PNG: depth 3', 'depth.png', PNG + header(4, 4, 3) + GRAY + END, 'depth.png')
    refused('PNG: color type 5', 'color.png', PNG + header(4, 4, 8, 5) + GRAY + END, 'color.png')
    refused('PNG: an unknown method of filters', 'method.png', PNG + header(4, 4, method=7) + GRAY + END, 'method.png')
    refused('PNG: an unknown filter', 'filter.png', PNG + header(1, 1) + chunk(b'IDAT', b'x\x9cc\x65\x03\0\0\x0a\0\x06')
            + END, 'filter.png')
    refused('PNG: a palette image without palette', 'no-plte.png', PNG + header(4, 4, 8, 3) + GRAY + END, 'no-plte.png')
    refused('PNG: two palettes', 'plte.png', PNG + header(4, 4, 8, 3) + 2 * chunk(b'PLTE', bytes(768)) + GRAY + END,
            'plte.png')
    refused('PNG: a palette of 4 bytes', 'plte4.png', PNG + header(4, 4, 8, 3) + chunk(b'PLTE', b'abcd') + GRAY + END,
            'plte4.png')
    accepted('PNG: an index beyond the palette', 'index.png',
             PNG + header(4, 4, 8, 3) + chunk(b'PLTE', b'abcdef') + GRAY + END)
    refused('PNG: other chunks between IDAT', 'split.png',
            PNG + header(4, 4) + GRAY[:-12] + chunk(b'tEXt', b'a\0b') + GRAY + END, 'split.png')
    accepted('PNG: 200 MB of pixels for one', 'bomb.png', PNG + header(1, 1) + chunk(b'IDAT', bomb(200)) + END)
    accepted('PNG: a profile of 200 MB', 'iccp.png',
             PNG + header(4, 4) + chunk(b'iCCP', b'a\0\0' + bomb(200)) + GRAY + END, 'iccp.png')
    accepted('PNG: a text of 200 MB', 'ztxt.png',
             PNG + header(4, 4) + chunk(b'zTXt', b'a\0\0' + bomb(200)) + GRAY + END, 'ztxt.png', output='png')
    accepted('PNG: 100000 empty chunks', 'chunks.png', PNG + header(4, 4) + 100000 * chunk(b'abCd') + GRAY + END)
    accepted('PNG: 50000 texts', 'texts.png', PNG + header(4, 4) + 50000 * chunk(b'tEXt', b'a\0b') + GRAY + END,
             'texts.png', output='png')
    refused('PNG: 1000 texts of 200 KB', 'texts2.png', PNG + header(4, 4) + 1000 * chunk(b'zTXt', b'a\0\0' + text)
            + GRAY + END, 'texts2.png', '--memory 16M', 'png')
    actl = chunk(b'acTL', big('II', 2, 0))
    second = chunk(b'fdAT', big('I', 2) + GRAY[8:-4])
    refused('APNG: a frame outside the screen', 'outside.png',
            PNG + header(4, 4) + actl + frame(0, 4, 4, 0, 0) + GRAY + frame(1, 4, 4, 2**31, 1) + second + END,
            'outside.png')
    refused('APNG: numbers out of order', 'order.png',
            PNG + header(4, 4) + actl + frame(0, 4, 4, 0, 0) + GRAY + frame(7, 4, 4, 0, 0) + second + END, 'order.png')
    accepted('APNG: 2^31-1 frames, one there', 'frames.png',
            PNG + header(4, 4) + chunk(b'acTL', big('II', 2**31 - 1, 0)) + frame(0, 4, 4, 0, 0) + GRAY + END,
            'frames.png')


def tiff_files():
    flat, data = image_tags(), bytes(range(16))
    accepted('TIFF: a directory that follows itself', 'cycle.tif', tiff(flat, data, 8), 'cycle.tif')
    refused('TIFF: a directory beyond the end', 'beyond.tif', b'II*\0' + little('I', 1 << 31), 'beyond.tif')
    refused('TIFF: a directory at byte 0', 'at0.tif', b'II*\0' + little('I', 0) + data, 'at0.tif')
    refused('TIFF: 65535 entries, cut', 'entries.tif', tiff(flat, data)[:8] + b'\xff\xff' + tiff(flat, data)[10:],
            'entries.tif')
    refused('TIFF: no directory entries', 'none.tif', b'II*\0' + little('IHI', 8, 0, 0), 'none.tif')
    refused('TIFF: a strip beyond the end', 'strip.tif', tiff(image_tags(t273=(4, 1, 1 << 30)), data), 'strip.tif')
    refused('TIFF: an area of 2^64', 'area.tif',
            tiff(image_tags(2**32 - 1, 2**32 - 1, t278=(4, 1, 2**32 - 1)), data), 'area.tif')
    refused('TIFF: an area of 2^34', 'large.tif', tiff(image_tags(2**17, 2**17), data), 'large.tif')
    refused('TIFF: 65535 channels', 'channels.tif', tiff(image_tags(t277=(3, 1, 65535)), data), 'channels.tif')
    refused('TIFF: 0 channels', 'channels0.tif', tiff(image_tags(t277=(3, 1, 0)), data), 'channels0.tif')
    refused('TIFF: 0 bits', 'bits.tif', tiff(image_tags(t258=(3, 1, 0)), data), 'bits.tif')
    refused('TIFF: 64 bits', 'bits64.tif', tiff(image_tags(t258=(3, 1, 64)), data), 'bits64.tif')
    refused('TIFF: no columns', 'zero.tif', tiff(image_tags(0, 4), data), 'zero.tif')
    refused('TIFF: tiles without columns', 'tiles.tif',
            tiff(image_tags(t273=None, t278=None, t279=None, t322=(4, 1, 0), t323=(4, 1, 16), t324=(4, 1, 8),
                            t325=(4, 1, 16)), data), 'tiles.tif')
    refused('TIFF: tiles of 2^31', 'tiles31.tif',
            tiff(image_tags(t273=None, t278=None, t279=None, t322=(4, 1, 2**31), t323=(4, 1, 2**31), t324=(4, 1, 8),
                            t325=(4, 1, 16)), data), 'tiles31.tif')
    refused('TIFF: an unknown arrangement of planes', 'planes.tif', tiff(image_tags(t284=(3, 1, 3)), data),
            'planes.tif')
    refused('TIFF: an unknown compression', 'packed.tif', tiff(image_tags(t259=(3, 1, 60000)), data), 'packed.tif')
    refused('TIFF: a palette image without palette', 'palette.tif', tiff(image_tags(t262=(3, 1, 3)), data),
            'palette.tif')
    refused('TIFF: a palette too short', 'palette6.tif',
            tiff(image_tags(t262=(3, 1, 3), t320=(3, 6, bytes(12))), data), 'palette6.tif')
    refused('TIFF: fewer strips than rows', 'strips.tif',
            tiff(image_tags(t278=(4, 1, 1), t273=(4, 1, 'STRIP'), t279=(4, 1, 4)), data), 'strips.tif')
    accepted('TIFF: a text of 4 GB', 'text.tif', tiff(image_tags(t270=(2, 2**32 - 1, 8)), data), 'text.tif')
    accepted('TIFF: 200 MB of deflate in one strip', 'bomb.tif',
             tiff(image_tags(t259=(3, 1, 8), t279=(4, 1, len(bomb(200)))), bomb(200)))
    accepted('TIFF: floats that are no numbers', 'nan.tif',
             tiff(image_tags(2, 2, 32, t339=(3, 1, 3)), little('4f', float('nan'), float('inf'), -float('inf'), .5)),
             'nan.tif')
    refused('BigTIFF: a directory at 2^63', 'big.tif', b'II+\0' + little('HHQ', 8, 0, 1 << 63), 'big.tif')
    refused('BigTIFF: 2^63 entries', 'big-entries.tif', b'II+\0' + little('HHQQ', 8, 0, 16, 1 << 63) + bytes(64),
            'big-entries.tif')


def bmp(width=4, height=4, bits=24, packing=0, size=40, used=0, offset=54, extra=b'', data=bytes(64)):
    head = little('IiiHHIIiiII', size, width, height, 1, bits, packing, len(data), 2835, 2835, used, 0) + extra
    return b'BM' + little('IHHI', 14 + len(head) + len(data), 0, 0, offset) + head + data


def bmp_files():
    refused('BMP: the lowest height', 'low.bmp', bmp(height=-2**31), 'low.bmp')
    refused('BMP: a negative width', 'width.bmp', bmp(width=-4), 'width.bmp')
    refused('BMP: no rows', 'zero.bmp', bmp(height=0), 'zero.bmp')
    accepted('BMP: a negative height', 'down.bmp', bmp(height=-4))
    refused('BMP: pixels beyond the end', 'offset.bmp', bmp(offset=2**32 - 1), 'offset.bmp')
    refused('BMP: a header of 4 GB', 'size.bmp', bmp(size=2**32 - 1), 'size.bmp')
    refused('BMP: a header of 0 bytes', 'size0.bmp', bmp(size=0), 'size0.bmp')
    refused('BMP: 3 bits', 'bits.bmp', bmp(bits=3), 'bits.bmp')
    refused('BMP: a palette of 4 billion colors', 'colors.bmp', bmp(bits=8, used=2**32 - 1, offset=1078), 'colors.bmp')
    refused('BMP: masks that overlap', 'masks.bmp',
            bmp(bits=32, packing=3, extra=little('III', 0xff00, 0xff00, 0xff00), offset=66), 'masks.bmp')
    refused('BMP: masks with gaps', 'gaps.bmp',
            bmp(bits=32, packing=3, extra=little('III', 0xa5a50000, 0x5a5a, 0), offset=66), 'gaps.bmp')
    refused('BMP: a run beyond the row', 'run.bmp',
            bmp(bits=8, packing=1, used=1, offset=58, extra=b'abcd', data=b'\xff\0' * 9), 'run.bmp')


SCREEN = b'GIF89a' + little('HHBBB', 4, 4, 0x80, 0, 0) + b'\0\0\0\xff\xff\xff'
DOT = b'\x02\x02\x44\x01\0'                      # a pixel of color 0


def picture(left, top, width, height, codes=DOT):
    return b',' + little('HHHHB', left, top, width, height, 0) + codes


def gif_files():
    accepted('GIF: a frame outside the screen', 'outside.gif', SCREEN + picture(60000, 60000, 1, 1) + b';',
             output='png')
    refused('GIF: codes of 13 bits', 'codes.gif', SCREEN + picture(0, 0, 4, 4, b'\x0d\x02\x44\x01\0') + b';',
            'codes.gif')
    refused('GIF: no pictures', 'none.gif', SCREEN + b';', 'none.gif')
    accepted('GIF: no colors', 'colors.gif', b'GIF89a' + little('HHBBB', 1, 1, 0, 0, 0) + picture(0, 0, 1, 1) + b';',
             'colors.gif')
    refused('GIF: cut inside a picture', 'cut.gif', SCREEN + picture(0, 0, 4, 4)[:12], 'cut.gif')
    refused('GIF: a screen without columns', 'zero.gif', b'GIF89a' + little('HHBBB', 0, 4, 0x80, 0, 0) + bytes(6)
            + picture(0, 0, 0, 0) + b';', 'zero.gif')
    accepted('GIF: 20000 frames of one pixel', 'frames.gif', b'GIF89a' + little('HHBBB', 1, 1, 0x80, 0, 0)
             + b'\0\0\0\xff\xff\xff' + 20000 * picture(0, 0, 1, 1) + b';', output='y4m')
    refused('GIF: a screen over --max-pixels', 'area.gif', b'GIF89a' + little('HHBBB', 65535, 65535, 0x80, 0, 0)
            + bytes(6) + picture(0, 0, 1, 1) + b';', 'area.gif', '--max-pixels 100M')
    refused('GIF: 20 frames, together over --max-pixels', 'sum.gif', b'GIF89a' + little('HHBBB', 3000, 3000, 0x80, 0, 0)
            + bytes(6) + 20 * picture(0, 0, 1, 1) + b';', 'sum.gif', '--max-pixels 10M', output='y4m')


def netpbm_files():
    refused('PPM: a width of 30 digits', 'digits.ppm', b'P6\n' + b'9' * 30 + b' 1\n255\nabc', 'digits.ppm')
    accepted('PPM: a comment of 1 KB', 'comment.ppm', b'P6\n#' + b'x' * 1000 + b'\n1 1\n255\nabc')
    accepted('PPM: a comment of 10 MB', 'comments.ppm', b'P6\n#' + b'x' * 10000000 + b'\n1 1\n255\nabc')
    accepted('PGM: text with a value over the maximum', 'over.pgm', b'P2\n2 1\n255\n4 1000000000\n', 'over.pgm')
    refused('PGM: text with a value of 30 digits', 'value.pgm', b'P2\n2 1\n255\n4 ' + b'9' * 30 + b'\n', 'value.pgm')
    refused('PGM: text with a negative value', 'minus.pgm', b'P2\n2 1\n255\n4 -1\n', 'minus.pgm')
    refused('PBM: text that ends', 'end.pbm', b'P1\n2 2\n1 0 1', 'end.pbm')
    refused('PAM: two widths', 'twice.pam', b'P7\nWIDTH 1\nWIDTH 4\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\nabcd',
            'twice.pam')
    refused('PAM: a name of channels for another number', 'tuple.pam',
            b'P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd', 'tuple.pam')
    nan = little('4f', float('nan'), float('inf'), -float('inf'), .5)
    accepted('PFM: values that are no numbers', 'nan.pfm', b'Pf\n2 2\n-1\n' + nan, 'nan.pfm')
    refused('PFM: a scale that is no number', 'scale.pfm', b'Pf\n2 2\nnan\n' + nan, 'scale.pfm')
    refused('QOI: an area of 2^64', 'area.qoi', b'qoif' + big('IIBB', 2**32 - 1, 2**32 - 1, 4, 0) + bytes(8),
            'area.qoi')
    refused('QOI: 5 channels', 'five.qoi', b'qoif' + big('IIBB', 4, 4, 5, 0) + bytes(15) + b'\1', 'five.qoi')
    refused('QOI: cut before the end', 'cut.qoi', b'qoif' + big('IIBB', 4, 4, 3, 0) + b'\xfe', 'cut.qoi')
    refused('HDR: a side of 2^31', 'area.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2147483647 +X 2147483647\n',
            'area.hdr')
    refused('HDR: a negative side', 'minus.hdr', b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y -4 +X 4\n' + bytes(64),
            'minus.hdr')
    refused('TGA: no columns', 'zero.tga', little('BBBHHBHHHHBB', 0, 0, 2, 0, 0, 0, 0, 0, 0, 4, 24, 0), 'zero.tga')
    refused('TGA: cut runs', 'runs.tga', little('BBBHHBHHHHBB', 0, 0, 10, 0, 0, 0, 0, 0, 400, 400, 24, 0)
            + b'\xffabc', 'runs.tga')


def video():
    for name, words in (('no columns', b'W0 H2 F25:1'), ('a negative width', b'W-4 H2 F25:1'),
                        ('an unknown arrangement', b'W2 H2 F25:1 C999'), ('a side of 10^6', b'W1000000 H1000000 F25:1'),
                        ('a width of 30 digits', b'W' + b'9' * 30 + b' H2 F25:1'), ('no width', b'H2 F25:1')):
        file = name.replace(' ', '-').replace('^', '') + '.y4m'
        refused('Y4M: ' + name, file, b'YUV4MPEG2 ' + words + b'\nFRAME\n' + bytes(6), file)
    good = b'YUV4MPEG2 W2 H2 F25:1 C420jpeg'
    accepted('Y4M: a rate of 25 to 0', 'rate.y4m', b'YUV4MPEG2 W2 H2 F25:0 C420jpeg\nFRAME\n' + bytes(6))
    accepted('Y4M: a rate of 10^30', 'rates.y4m', b'YUV4MPEG2 W2 H2 F1' + b'0' * 30 + b':1 C420jpeg\nFRAME\n'
             + bytes(6), 'rates.y4m')
    refused('Y4M: a header of 1 MB', 'header.y4m', good + b' X' + b'x' * 1000000 + b'\nFRAME\n' + bytes(6),
            'header.y4m')
    refused('Y4M: a frame without its line', 'line.y4m', good + b'\nFRAME\n' + bytes(6) + b'FRIME\n' + bytes(6),
            'line.y4m', output='y4m')
    refused('Y4M: a cut frame', 'cut.y4m', good + b'\nFRAME\n' + bytes(6) + b'FRAME\n' + bytes(5), 'cut.y4m',
            output='y4m')


def add():
    png()
    tiff_files()
    bmp_files()
    gif_files()
    netpbm_files()
    video()
