"""Prints the cases of a script as TAP, like tests/tap.h."""
import os
import sys

import gpufilter as gf

count = failed = 0


def ok(good, name):
    """Report a case, if ONLY chooses it."""
    global count, failed
    only = os.environ.get("ONLY", "")
    if only and only.lstrip("=") not in name:
        return
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, name), flush=True)


def refuses(call, words, name):
    """Test that a call raises gf.Error with these words, which may be of its problem or of its advice."""
    try:
        call()
        text = "there is no error"
    except gf.Error as e:
        text = str(e)
    ok(words in text, name)
    if words not in text:
        print("# %s; wanted: %s" % (text, words))


def end():
    print("1..%d" % count)
    sys.exit(failed > 0)
