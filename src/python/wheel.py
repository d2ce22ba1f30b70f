"""Makes the wheel of gpufilter from what make has linked, and is the build backend of pyproject.toml.

    wheel.py BUILD          a wheel for other systems, with the libraries that program and library link
    wheel.py BUILD local    a wheel for this system, which has these libraries

BUILD has wheel/gpufilter, wheel/libgpufilter.so.0 and wheel/metadata. make wheel calls it. The file has the
same bytes each time, and in each folder if configure had --enable-reproducible; SOURCE_DATE_EPOCH is the time of
its members.
"""
import base64
import glob
import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The rules of manylinux count on these.
SYSTEM = re.compile(r"(linux-vdso|ld-linux[-\w]*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z))\.so(\.\d+)?")
# A script starts in half the time of an entry point, which would import the package first.
COMMAND = """#!python
import importlib.machinery
import os
import sys

folder = importlib.machinery.PathFinder.find_spec("gpufilter").submodule_search_locations[0]
program = os.path.join(folder, "bin", "gpufilter")
os.execv(program, [program, *sys.argv[1:]])
"""


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def linked(paths):
    """Return names and files of the libraries that the files link, except those that every system has."""
    found = {}
    for path in paths:
        said = subprocess.run(["ldd", path], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
        for name, file in re.findall(r"(\S+) => (not found|.*(?= \(0x))", said):
            if not SYSTEM.fullmatch(name):
                found[name] = os.path.realpath(file)
    return sorted(found.items())


def license_of(name, path):
    """Return the license of a library's package. One that is under the GPL must not be in the wheel."""
    said = shutil.which("dpkg-query") and subprocess.run(
        ["dpkg-query", "-S", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    text = read("/usr/share/doc", said.split(":")[0], "copyright") if said else b""
    if not text:
        sys.exit("wheel: %s: no package has its license; configure without it" % path)
    if re.search(rb"GPL|General Public License", text):
        sys.exit("wheel: %s is under the GPL; configure without it" % path)
    return text


def rename(data, names):
    """Give bundled libraries names of their own, so that another package's library is never taken instead."""
    for name in names:
        data = data.replace(b"\0" + name.encode() + b"\0", b"\0" + own_name(name).encode() + b"\0")
    return data


def own_name(name):
    return "gf_" + name[3:]              # as long as before, because it replaces the name in place


def late_libraries(program):
    """Return lines of Markdown on the libraries that the program opens late, from its notes."""
    notes = re.findall(rb'"description":"([^"]*)","priority":"\w*","soname":\["([^"]*)"\]', program)
    return b"\n".join(sorted(b"- " + name + b": " + does for does, name in notes)) or b"- none"


def platform_of(binaries):
    """Return the platform of a tag: the glibc that the files need."""
    newest = max(int(minor) for data in binaries for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=[.\d]*\0)", data))
    return "manylinux_2_%d_%s" % (newest, platform.machine())


def members_of(build, local):
    """Return the members of the wheel without its metadata, licenses, and the metadata."""
    program, library = os.path.join(build, "wheel/gpufilter"), os.path.join(build, "wheel/libgpufilter.so.0")
    bundled = [] if local else linked([program, library])
    names = [name for name, _ in bundled]
    package = os.path.join(SOURCE, "src/python/gpufilter")
    members = {"gpufilter/" + os.path.relpath(path, package): read(path)
               for path in glob.glob(package + "/**", recursive=True)
               if path.endswith((".py", ".pyi", "/py.typed"))}
    members["gpufilter/bin/gpufilter"] = rename(read(program), names)
    members["gpufilter/lib/libgpufilter.so.0"] = rename(read(library), names)
    licenses = {"LICENSE": read(SOURCE, "LICENSE")}
    for name, path in bundled:
        members["gpufilter/lib/" + own_name(name)] = rename(read(path), names)
        licenses[own_name(name) + ".txt"] = license_of(name, path)
    if b"\0.nv_fatbin\0" in read(program):          # the section of code for GPUs
        licenses["cuda.txt"] = read(SOURCE, "src/python/cuda.txt")
    return members, licenses, read(build, "wheel/metadata").replace(b"@LATE@", late_libraries(read(program)))


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def write(path, members):
    # ZIP has no time before 1980.
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
    with zipfile.ZipFile(path + ".tmp", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name, data in members.items():
            member = zipfile.ZipInfo(name, moment)
            member.compress_type, member.create_system = zipfile.ZIP_DEFLATED, 3
            member.external_attr = (0o100755 if "/bin/" in name or "/lib/" in name or "/scripts/" in name
                                    else 0o100644) << 16
            file.writestr(member, data)
    os.replace(path + ".tmp", path)


def make(build, local=False):
    """Write the wheel into the build folder; return its name."""
    members, licenses, metadata = members_of(build, local)
    version = re.search(rb"^Version: (\S+)", metadata, re.M)[1].decode()
    tag = "py3-none-" + ("linux_" + platform.machine() if local
                         else platform_of([data for data in members.values() if data[:4] == b"\x7fELF"]))
    info, name = "gpufilter-%s.dist-info/" % version, "gpufilter-%s-%s.whl" % (version, tag)
    members["gpufilter-%s.data/scripts/gpufilter" % version] = COMMAND.encode()
    members = dict(sorted(members.items()))
    members.update((info + "licenses/" + key, licenses[key]) for key in sorted(licenses))
    members[info + "METADATA"] = metadata
    members[info + "WHEEL"] = ("Wheel-Version: 1.0\nGenerator: gpufilter (%s)\nRoot-Is-Purelib: false\nTag: %s\n"
                               % (version, tag)).encode()
    record = ["%s,%s,%d\n" % (key, digest(data), len(data)) for key, data in members.items()]
    members[info + "RECORD"] = "".join(record + [info + "RECORD,,\n"]).encode()
    for old in glob.glob(os.path.join(build, "gpufilter-*.whl")):
        os.remove(old)
    write(os.path.join(build, name), members)
    return name


# ---- the backend: pip and build call these in the folder of the source

def _build(goal, pattern, folder, settings):
    configure = shlex.split((settings or {}).get("configure", ""))
    if not os.path.exists(os.path.join(SOURCE, "configure")):
        subprocess.run(["./bootstrap"], cwd=SOURCE, check=True)
    with tempfile.TemporaryDirectory() as build:
        subprocess.run([os.path.join(SOURCE, "configure"), *configure], cwd=build, check=True)
        subprocess.run(["make", "-j%d" % (os.cpu_count() or 1), *goal, "PYTHON=" + sys.executable], cwd=build,
                       check=True)
        return os.path.basename(shutil.copy(glob.glob(os.path.join(build, pattern))[0], folder))


def build_wheel(folder, config_settings=None, metadata_directory=None):
    """Build a wheel for this system. The setting configure= has arguments of configure."""
    return _build(["wheel", "WHEEL=local"], "gpufilter-*.whl", folder, config_settings)


def build_sdist(folder, config_settings=None):
    """Make the tarball of the source, which also is the source distribution of Python."""
    return _build(["dist"], "gpufilter-*.tar.gz", folder, config_settings)


if __name__ == "__main__":
    made = make(sys.argv[1], sys.argv[2:] == ["local"])
    print("%s: %.1f MB" % (made, os.path.getsize(os.path.join(sys.argv[1], made)) / 1e6))
