#!/usr/bin/env python3
"""Measures how late sound leaves a pipe: gpufilter, SoX and FFmpeg in turn, with idle and with busy cores.

usage: latency.py GPUFILTER [SECONDS [ROUNDS]]

Stereo sound at 48000 Hz arrives in real time, a block each millisecond. Every 20 ms a block begins with a click. Its
delay is the time from the end of the write of its block until a read has delivered it at the other end of the program.
Programs run SECONDS (10) each, ROUNDS times (3), in turn. The table shows the median, the 99th percentile, and the
maximum over all clicks after the first second, in which a program may still be starting, in milliseconds. With busy
cores, two processes for each core compute all the time. FFMPEG names another ffmpeg. The programs collect blocks of 10
or 2 ms; SoX and FFmpeg have options for sizes in bytes.
"""
import array, mmap, os, shutil, signal, struct, subprocess, sys, time

gpufilter = os.path.abspath(sys.argv[1])
seconds = float((sys.argv[2:] or [10])[0])
rounds = int((sys.argv[3:] or [3])[0])
ffmpeg = os.environ.get('FFMPEG', 'ffmpeg')
RATE, BLOCK, CLICK_BLOCKS, FRAME = 48000, 48, 20, 4
blocks = int(seconds * RATE / BLOCK)
unknown = struct.pack('<I', 0xffffffff)
samples_are = struct.pack('<IHHIIHH', 16, 1, 2, RATE, RATE * FRAME, FRAME, 16)
header = b'RIFF' + unknown + b'WAVEfmt ' + samples_are + b'data' + unknown

def programs(ms):
    size = RATE * FRAME * ms // 1000
    return {
        'gpufilter': [gpufilter, '-q', '--device', 'cpu', '--latency', str(ms), 'bass:-6,120', 'eq:3k,1,4', 'gain:-6'],
        'SoX': ['sox', '-V1', '--buffer', str(size), '--ignore-length', '-t', 'wav', '-', '-t', 'wav', '-',
                'bass', '-6', '120', 'equalizer', '3k', '1q', '4', 'gain', '-6'],
        'FFmpeg': [ffmpeg, '-v', 'error', '-probesize', '32', '-analyzeduration', '0', '-f', 'wav',
                   '-max_size', str(size), '-i', '-', '-af', 'bass=g=-6:f=120,equalizer=f=3000:t=q:w=1:g=4,volume=-6dB',
                   '-flush_packets', '1', '-f', 'wav', '-']}

def feed(fd, written):
    """Writes the sound in real time, and the time of each write of a click to shared memory."""
    quiet, click = bytes(BLOCK * FRAME), struct.pack('<hh', 24000, 24000) + bytes((BLOCK - 1) * FRAME)
    os.write(fd, header)
    start = time.monotonic() + .3                  # programs start in this time
    for k in range(blocks):
        time.sleep(max(0, start + k * BLOCK / RATE - time.monotonic()))
        os.write(fd, quiet if k % CLICK_BLOCKS else click)
        if k % CLICK_BLOCKS == 0:
            struct.pack_into('<d', written, k // CLICK_BLOCKS * 8, time.monotonic())

def delays(command):
    """Runs a program, and returns the delays of all clicks in milliseconds."""
    clicks = (blocks + CLICK_BLOCKS - 1) // CLICK_BLOCKS
    written = mmap.mmap(-1, clicks * 8)
    p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    feeder = os.fork()
    if feeder == 0:
        feed(p.stdin.fileno(), written)
        os._exit(0)
    p.stdin.close()
    head, arrived, at, rest = b'', [], 0, b''
    while True:
        data = os.read(p.stdout.fileno(), 65536)
        now = time.monotonic()
        if not data:
            break
        if head is not None:                       # up to the samples
            head += data
            found = head.find(b'data')
            if found < 0 or len(head) < found + 8:
                continue
            data, head = head[found + 8:], None
        data = rest + data
        whole = len(data) // FRAME * FRAME
        rest = data[whole:]
        samples = array.array('h', data[:whole])[::2]
        while at // BLOCK // CLICK_BLOCKS < clicks:
            next_click = len(arrived) * BLOCK * CLICK_BLOCKS
            if next_click >= at + len(samples):
                break
            if abs(samples[next_click - at]) < 4000:
                sys.exit(f'{command[0]}: no click at frame {next_click}')
            arrived.append(now)
        at += len(samples)
    os.waitpid(feeder, 0)
    if p.wait() != 0 or len(arrived) != clicks:
        sys.exit(f'{command[0]}: failed, {len(arrived)} of {clicks} clicks')
    return [(arrived[i] - struct.unpack_from('<d', written, i * 8)[0]) * 1000
            for i in range(RATE // BLOCK // CLICK_BLOCKS, clicks)]

def burn():
    """Starts processes that compute until they are killed."""
    found = []
    for _ in range(2 * len(os.sched_getaffinity(0))):
        child = os.fork()
        if child == 0:
            while True:
                pass
        found.append(child)
    return found

print(f'{"cores":8}{"blocks":>8}  {"program":12}{"median":>8}{"99 %":>8}{"max":>8}')
for load in 'idle', 'busy':
    for ms in 10, 2:
        result = {}
        for _ in range(rounds):
            for name, command in programs(ms).items():
                if shutil.which(command[0]) is None:
                    continue
                burners = burn() if load == 'busy' else []
                try:
                    result.setdefault(name, []).extend(delays(command))
                finally:
                    for child in burners:
                        os.kill(child, signal.SIGKILL)
                        os.waitpid(child, 0)
        for name, all_of in result.items():
            all_of.sort()
            print(f'{load:8}{ms:>5} ms  {name:12}{all_of[len(all_of) // 2]:8.2f}{all_of[len(all_of) * 99 // 100]:8.2f}'
                  f'{all_of[-1]:8.2f}', flush=True)
