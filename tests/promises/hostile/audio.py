"""Audio with false sizes, contradictions and rates that are no numbers."""
from builders import SAMPLES, accepted, aiff, big, little, piece, refused, riff, sound_format

INFINITE = b'\x7f\xff' + bytes(8)                # 80-bit floats
NONE = b'\x7f\xff\xc0' + bytes(7)
NEGATIVE = b'\xc0\x0e\xbb\x80' + bytes(6)
RATE = b'\x40\x0e\xbb\x80' + bytes(6)


def bad(name, file, data, arguments=''):
    refused(name, file, data, file, arguments, 'wav')


def good(name, file, data, warning=None, arguments='', output='wav'):
    accepted(name, file, data, warning, arguments, output)


def wav():
    data = piece(b'data', SAMPLES)
    good('WAV: a block of 3 bytes for 16 bits', 'align.wav', riff(b'WAVE', sound_format(align=3), data))
    good('WAV: a block of 0 bytes', 'align0.wav', riff(b'WAVE', sound_format(align=0), data))
    bad('WAV: samples before their format', 'before.wav', riff(b'WAVE', data, sound_format()))
    bad('WAV: rate 0', 'rate.wav', riff(b'WAVE', sound_format(rate=0), data))
    bad('WAV: a rate of 4 GHz', 'fast.wav', riff(b'WAVE', sound_format(rate=2**32 - 1), data))
    bad('WAV: 65535 channels', 'channels.wav', riff(b'WAVE', sound_format(channels=65535), data))
    bad('WAV: no channels', 'none.wav', riff(b'WAVE', sound_format(channels=0), data))
    bad('WAV: 0 bits', 'bits.wav', riff(b'WAVE', sound_format(bits=0), data))
    bad('WAV: 255 bits', 'bits255.wav', riff(b'WAVE', sound_format(bits=255), data))
    bad('WAV: an unknown encoding', 'code.wav', riff(b'WAVE', sound_format(code=0x4242), data))
    bad('WAV: an extended format cut short', 'short.wav',
        riff(b'WAVE', piece(b'fmt ', little('HHIIHH', 0xfffe, 1, 48000, 96000, 2, 16)), data))
    bad('WAV: an extended format of an unknown kind', 'guid.wav',
        riff(b'WAVE', piece(b'fmt ', little('HHIIHHHHI', 0xfffe, 1, 48000, 96000, 2, 16, 22, 16, 4) + b'?' * 16), data))
    bad('WAV: more samples than bytes', 'length.wav', riff(b'WAVE', sound_format(), piece(b'data', SAMPLES, 3 << 30)))
    bad('WAV: a chunk beyond the end', 'chunk.wav', riff(b'WAVE', sound_format(), piece(b'LIST', b'', 1 << 31), data))
    bad('WAV: ADPCM with blocks of 1 byte', 'adpcm.wav',
        riff(b'WAVE', piece(b'fmt ', little('HHIIHHHH', 17, 1, 8000, 4000, 1, 4, 2, 505)), data))
    good('WAV: 2200 lists of 999999 markers', 'markers.wav',
         riff(b'WAVE', sound_format(), *2200 * [piece(b'cue ', little('I', 999999))], data),
         'markers.wav: lost: 2147483647 markers;', output='flac')
    good('WAV: 50000 chunks', 'chunks.wav', riff(b'WAVE', sound_format(), *50000 * [piece(b'junk', b'ab')], data),
         'chunks after the first 4096')
    nan = little('4f', float('nan'), float('inf'), -float('inf'), .5)
    good('WAV: floats that are no numbers', 'nan.wav', riff(b'WAVE', sound_format(3, bits=32), piece(b'data', nan)),
         'nan.wav', '--depth 16')
    ds64 = piece(b'ds64', little('QQQI', 2**63, 2**63, 2**63, 0))
    body = b'WAVE' + ds64 + sound_format() + piece(b'data', SAMPLES, 2**32 - 1)
    bad('RF64: 2^63 bytes', 'sizes.wav', b'RF64\xff\xff\xff\xff' + body)
    good('RF64: no sizes', 'nosizes.wav', b'RF64\xff\xff\xff\xffWAVE' + sound_format() + piece(b'data', SAMPLES))
    guid = bytes.fromhex('f3acd3118cd100c04f8edb8a')
    bad('W64: a negative size', 'minus.w64', b'riff' + bytes.fromhex('2e91cf11a5d628db04c10000') + little('q', 200)
        + b'wave' + guid + b'fmt ' + guid + little('q', -40) + bytes(100))


def sizes_that_lead_back():
    """libsndfile would read chunks with such sizes forever."""
    law, data = sound_format(7, rate=8000, bits=8), piece(b'data', bytes(64))
    item = b'ABCD' + little('I', 2**32 - 8) + bytes(40)
    for name in (b'LIST', b'INFO'):
        for kind in (b'INFO', b'adtl'):
            text, file = (name + b' ' + kind).decode(), (name + kind).decode()
            warning = {'LISTINFO': 'tags lost: ABCD', 'LISTadtl': None}.get(file, 'INFO')
            back = piece(name, kind + item)
            good('WAV: a size that leads back in ' + text, file + '.wav', riff(b'WAVE', law, back, data), warning)
            good('WAV: in %s after the samples' % text, file + '2.wav', riff(b'WAVE', law, data, back), warning)
    back = piece(b'LIST', b'INFO' + item)
    cue = piece(b'cue ', little('I', 3) + bytes(2) + back + bytes(30), 6)
    good('WAV: in a second format', 'format2.wav', riff(b'WAVE', law, piece(b'fmt ', back), data))
    bad('WAV: in cues beyond their chunk', 'cue.wav', riff(b'WAVE', law, cue, data))
    good('WAV: after a chunk named FORM', 'form.wav', riff(b'WAVE', law, piece(b'FORM', b'ab'), back, data))
    for name in (b'ANNO', b'AUTH', b'(c) '):
        body = b'8SVXVHDR' + big('IIIIHBBI', 20, 16, 0, 0, 8000, 1, 0, 65536) + name + big('I', 2**32 - 8) \
            + b'abcdefghBODY' + big('I', 16) + bytes(16)
        bad('8SVX: a size that leads back in ' + name.decode(), name.decode().strip('() ') + '.8svx',
            b'FORM' + big('I', len(body)) + body)


def other_containers():
    bad('AIFF: an infinite rate', 'infinite.aiff', aiff(INFINITE))
    bad('AIFF: a rate that is no number', 'nan.aiff', aiff(NONE))
    bad('AIFF: a negative rate', 'negative.aiff', aiff(NEGATIVE))
    bad('AIFF: rate 0', 'zero.aiff', aiff(bytes(10)))
    bad('AIFF: more frames than bytes', 'frames.aiff', aiff(RATE, frames=2**32 - 1))
    bad('AIFF: no channels', 'channels.aiff', aiff(RATE, channels=0))
    bad('AIFF: samples beyond the end', 'offset.aiff', aiff(RATE, offset=2**31))
    bad('AIFF: no format', 'comm.aiff', b'FORM\0\0\0\x14AIFFSSND' + big('III', 8, 0, 0))
    bad('AU: no channels', 'none.au', b'.snd' + big('5I', 24, 16, 3, 48000, 0) + SAMPLES)
    bad('AU: rate 0', 'rate.au', b'.snd' + big('5I', 24, 16, 3, 0, 1) + SAMPLES)
    bad('AU: samples at 2^31', 'offset.au', b'.snd' + big('5I', 2**31, 16, 3, 48000, 1) + SAMPLES)
    bad('AU: samples inside the header', 'header.au', b'.snd' + big('5I', 4, 16, 3, 48000, 1) + SAMPLES)
    bad('AU: an unknown encoding', 'code.au', b'.snd' + big('5I', 24, 16, 99, 48000, 1) + SAMPLES)
    bad('CAF: a rate that is no number', 'nan.caf', b'caff\0\1\0\0desc' + big('Qd', 32, float('nan'))
        + b'lpcm' + big('5I', 2, 2, 1, 1, 16) + b'data' + big('qI', 20, 0) + SAMPLES)
    bad('CAF: a chunk of negative size', 'minus.caf', b'caff\0\1\0\0desc' + big('qd', -5, 48000.)
        + b'lpcm' + big('5I', 2, 2, 1, 1, 16) + b'data' + big('qI', 20, 0) + SAMPLES)
    bad('VOC: a block beyond the end', 'block.voc', b'Creative Voice File\x1a' + little('HHH', 26, 0x10a, 0x1129)
        + b'\1\xff\xff\xff\x9c\0abcdef')
    bad('MP3: a tag of 256 MB', 'tag.mp3', b'ID3\3\0\0\x7f\x7f\x7f\x7f' + bytes(100))
    bad('MP3: tags and no sound', 'tags.mp3', 10000 * (b'ID3\3\0\0\0\0\0\x10' + bytes(16)))


def compressed_audio(flac, ogg):
    """Damage to files that the program wrote."""
    total = bytearray(flac)
    total[21] |= 15
    total[22:26] = b'\xff' * 4
    bad('FLAC: 2^36 samples stated', 'total.flac', total)
    fast = bytearray(flac)
    fast[18:21] = b'\xff\xff\xff'
    bad('FLAC: a rate of 1 MHz', 'rate.flac', fast)
    broken = bytearray(flac)
    broken[-1] ^= 255
    bad('FLAC: a false CRC of the last frame', 'crc.flac', broken)
    bad('FLAC: a block of 16 MB', 'block.flac', flac[:4] + b'\x04\xff\xff\xff' + flac[8:])
    bad('FLAC: 0 bits in the frame', 'cut.flac', flac[:50])
    page = bytearray(ogg)
    page[22] ^= 255
    bad('Ogg: a false CRC of the first page', 'crc.ogg', page)
    bad('Ogg: headers alone', 'head.ogg', ogg[:58])
    bad('Ogg: pages of another stream between', 'serial.ogg', ogg[:58] + b'OggS\0\0' + bytes(20))


def cut():
    """Files that the program wrote, cut at places where their lengths say more."""
    for kind, sizes in (('aiff', (100, 700)), ('w64', (700,)), ('caf', (4200,)), ('au', (700,)),
                        ('wav', (700,)), ('flac', (2000,)), ('ogg', (90, 2000, 'half'))):
        with open('base.' + kind, 'rb') as whole:
            data = whole.read()
        for size in sizes:
            end = len(data) // 2 if size == 'half' else size
            bad('%s: cut after %s bytes' % (kind, size), 'cut%s.%s' % (size, kind), data[:end])


def add():
    wav()
    sizes_that_lead_back()
    other_containers()
    compressed_audio(open('base.flac', 'rb').read(), open('base.ogg', 'rb').read())
    cut()
