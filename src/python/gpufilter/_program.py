"""The program, for files in a sandbox."""
import os
import shlex
import shutil
import subprocess
import warnings

from ._library import Error, Warning


def program():
    """Return the path of the program."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "gpufilter")
    found = os.environ.get("GPUFILTER") or (here if os.path.exists(here) else shutil.which("gpufilter"))
    if not found:
        raise Error("the program gpufilter is not installed", "put it into PATH")
    return found


def run(arguments, **options):
    """Run the program: run(["-i", "in.png", "gray", "-o", "out.png"]). It reads files in a sandbox.

    Options are those of subprocess.run(). Raises Error if the program fails. The program writes messages for people,
    and run() is the only function that reads them: lines that begin with "gpufilter: warning: " are warnings, and the
    last line of a program that fails is the .problem, with the advice. For other uses of stderr, pass stderr=.
    """
    if isinstance(arguments, str):
        raise Error("run() takes a list", "use run(%r)" % shlex.split(arguments))
    options.setdefault("stderr", subprocess.PIPE)
    done = subprocess.run([program(), *arguments], **options)
    said = done.stderr or ""
    lines = (said.decode(errors="replace") if isinstance(said, bytes) else said).splitlines()
    if done.returncode != 0:
        raise Error(lines[-1].replace("gpufilter: ", "", 1) if lines else "gpufilter failed", status=done.returncode)
    for line in lines:
        if line.startswith("gpufilter: warning: "):
            warnings.warn(line[len("gpufilter: warning: "):], Warning, stacklevel=2)
    return done
