"""Text files of stages, and names that are no regular files."""
import os
import socket

from builders import case, refused

IMAGE = b'P5\n4 4\n255\n' + bytes(range(16))


def option(name, file, data, pattern, stage, status=2):
    """A file that a stage or the chain reads; a mistake in it is a usage error."""
    with open(file, 'wb') as out:
        out.write(data)
    case(name, 'in.pgm', IMAGE, status, pattern, stage)


def texts():
    option('mask: nan', 'nan.txt', b'1 nan 1\n', 'conv: .*nan', 'conv:nan.txt')
    option('mask: 1e999', 'e999.txt', b'1 1e999 1\n', 'conv: .*1e999', 'conv:e999.txt')
    option('mask: a million columns', 'wide.txt', b'1 ' * 1000000 + b'\n', 'conv: ', 'conv:wide.txt')
    option('mask: a million rows', 'tall.txt', b'1\n' * 1000000, 'conv: ', 'conv:tall.txt')
    option('mask: rows of several lengths', 'rows.txt', b'1 1 1\n1 1\n1 1 1\n', 'conv: ', 'conv:rows.txt')
    option('mask: bytes that are no text', 'zeros.txt', bytes(100), 'conv: ', 'conv:zeros.txt', 1)
    option('mask: a number of 10 MB', 'digits.txt', b'1' * 10000000, 'conv: ', 'conv:digits.txt')
    option('mask: an endless file', 'endless.txt', b'', 'conv: ', 'conv:/dev/zero', 1)
    option('chain: 100000 lines', 'lines.chain', b'invert\n' * 100000, 'lines.chain:65: ', '@lines.chain')
    option('chain: a line of 10 MB', 'line.chain', b'conv:' + b'1,' * 5000000, 'line.chain', '@line.chain')
    option('chain: 100000 empty lines', 'empty.chain', b'\n' * 100000, 'empty.chain', '@empty.chain')
    option('chain: bytes that are no text', 'zeros.chain', bytes(1000), 'zeros.chain', '@zeros.chain')
    option('chain: a file that calls itself', 'self.chain', b'@self.chain\n', 'self.chain', '@self.chain')
    option('chain: a control character', 'escape.chain', b'in\x1b[31mvert\n', 'escape.chain:1: ', '@escape.chain')
    option('stage: a size of 10^9', 'none', b'', 'resize', 'resize:1000000000x1000000000', 1)


def places():
    os.mkdir('empty-folder')
    refused('a folder without files', 'empty-folder', None, 'empty-folder')
    socket.socket(socket.AF_UNIX).bind('socket')
    refused('a socket', 'socket', None, 'socket')
    os.symlink('loop', 'loop')
    refused('a link to itself', 'loop', None, 'loop')
    refused('a name of 300 characters', 'n' * 300, None, 'n' * 300)
    for number, control in enumerate('\x1b\a\x7f\r'):
        refused('a name with control character %d' % number, 'escape%s.ppm' % control, b'P6\n1', 'escape')
    os.mkfifo('fifo.ppm')
    case('a FIFO without a writer', 'fifo.ppm', None, -15, None)
    with open('sparse.pgm', 'wb') as out:
        out.write(b'P5\n1000000 1000000\n255\n')
        out.truncate(10**12)
    refused('a sparse image of 1 TB', 'sparse.pgm', None, 'sparse.pgm')
    with open('sparse.wav', 'wb') as out:
        out.truncate(10**12)
    refused('a sparse file of 1 TB without header', 'sparse.wav', None, 'sparse.wav')
    for name in ('/dev/zero', '/dev/full', '/proc/self/maps', '/proc/self/mem', '/proc/self/cmdline', '/dev/null'):
        refused(name, name, None, name)
    refused('/dev/zero as GIF', '/dev/zero', None, '/dev/zero', '-f gif invert')
    refused('/dev/zero as PPM', '/dev/zero', None, '/dev/zero', '-f ppm invert')
    refused('/dev/zero as WAV', '/dev/zero', None, '/dev/zero', '-f wav invert', 'wav')


def add():
    texts()
    places()
