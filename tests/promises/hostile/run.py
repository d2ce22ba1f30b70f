"""Writes hostile inputs into the current folder, runs the program on each, and prints a line for each case:
its name, a tab, and what is wrong (nothing if all is as expected).

A case passes if the exit status is the expected one, if standard error is one line that matches the pattern
(or empty if there is none) without control characters, and if it took less than 2 s of CPU time and 200 MB of
memory. After an error no output is left, not even a hidden one; otherwise exactly one."""
import os
import re
import shutil
import subprocess
import sys
import time

import audio
import builders
import compressed
import files
import images
import strips

SECONDS, MEGABYTES, PATIENCE = 2, 200, 20


def run(command, patience):
    """Returns the status, the CPU time and the memory in MB of a command."""
    with open('errors', 'wb') as errors, open('/dev/null', 'r+b') as null:
        child = subprocess.Popen(command, stdin=null, stdout=null, stderr=errors)
    end, sent = time.monotonic() + patience, False
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        if time.monotonic() > end:
            child.send_signal(9 if sent else 15)
            end, sent = end + 5, True
        time.sleep(0.002)


def complaints(program, sanitized, name, file, status, pattern, output, arguments):
    shutil.rmtree('out', ignore_errors=True)
    os.mkdir('out')
    arguments = ['invert'] if arguments == '-' else arguments.split()
    if not any(word[0] != '-' and not word[0].isdigit() for word in arguments):
        arguments.append('invert')
    command = [program, '--device', 'cpu', '-j', '2', '-i', file, *arguments, '-o', 'out/o.' + output]
    found, seconds, memory = run(command, 1 if status == '-15' else PATIENCE)
    errors = open('errors', 'rb').read().decode(errors='replace')
    if found != int(status):
        yield 'status %d instead of %s' % (found, status)
    if pattern == '-' and errors:
        yield 'a message that is not expected'
    if pattern != '-' and (errors.count('\n') != 1 or not errors.startswith('gpufilter: ')
                           or not re.search(pattern, errors)):
        yield 'not one line with ' + pattern
    if errors and (found == 0) != (': warning: ' in errors):
        yield 'a warning with an error, or an error with success'
    if re.search('[\x00-\x09\x0b-\x1f\x7f-\x9f]', errors):
        yield 'a control character in a message'
    if seconds > SECONDS and not sanitized:
        yield '%.1f s' % seconds
    if memory > MEGABYTES and not sanitized:
        yield '%.0f MB' % memory
    left = os.listdir('out')
    if len(left) != (found == 0):
        yield 'outputs: ' + str(left)


def main():
    program, sanitized = sys.argv[1], sys.argv[2] == 'yes'
    images.add()
    compressed.add(os.path.dirname(__file__))
    strips.add()
    audio.add()
    files.add()
    for name, file, status, pattern, output, arguments in builders.cases:
        wrong = list(complaints(program, sanitized, name, file, status, pattern, output, arguments))
        if wrong:
            line = open('errors', 'rb').read(600).decode(errors='replace').encode('unicode_escape').decode()
            wrong.append('it said: ' + line)
        print(name, '; '.join(wrong), sep='\t', flush=True)


main()
