# The wheel of make wheel: its contents, and the package that pip installs from it.
. "$(dirname "$0")/../lib.sh"
built=$(cd "$(dirname "$GPUFILTER")" && pwd)
[ -f "$built/Makefile" ] && [ -f "$built/libgpufilter.so.0" ] || skip_all 'there is no build folder here'
no_sanitizer 'Python does not load its library'
unset MAKEFLAGS MFLAGS MAKELEVEL
python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))' 2>errors ||
    skip_all 'no python3 with venv here'
command -v dpkg-query >dpkg.path || skip_all 'licenses of libraries come from packages of Debian'

# make_wheel: makes the wheel anew in the build folder, and prints its name.
make_wheel() { ${MAKE:-make} -s -C "$built" wheel && ls "$built" | grep '^gpufilter-.*\.whl$' >name; }
(TZ=XYZ-13 && export TZ && umask 077 && make_wheel && cp "$built/$(cat name)" first.whl) >out 2>&1
works 'a wheel can be made' make_wheel
name=$(cat name)
wheel=$built/$name
same "$wheel" first.whl 'a wheel made again has the same bytes'
version=$(gf --version | sed -n 's/^gpufilter //p')

# ---- contents

mkdir unpacked
python3 -m zipfile -e "$wheel" unpacked
is 'a wheel is no larger than 60 MB' "$([ "$(wc -c <"$wheel")" -le 60000000 ] && echo yes)" yes
is 'the name of a wheel says that any Python 3 takes it' "${name%%manylinux*}" "gpufilter-$version-py3-none-"
if command -v objdump >objdump.path && command -v readelf >readelf.path; then
    (cd unpacked/gpufilter && objdump -T bin/* lib/*) | grep -oE 'GLIBC_2\.[0-9]+' | sort -t. -k2n | tail -n 1 >newest
    tag=${name##*-}
    is 'the tag of a wheel is the glibc that its files need' "${tag%.whl}" \
        "manylinux_2_$(sed 's/.*\.//' newest)_$(uname -m)"
    (cd unpacked/gpufilter && readelf -d bin/* lib/*) | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u |
        grep -vE '^(ld-linux.*|lib(c|m|dl|rt|pthread|z|gcc_s|stdc\+\+))\.so' >needed
    (cd unpacked/gpufilter/lib && ls | grep '^gf_') >bundled
    same needed bundled 'a wheel has the libraries that its files link, and no others'
    nothing 'a wheel needs neither the driver of a GPU nor the CUDA runtime' grep -E '^(lib|gf_)(cu|nv)' needed
    nothing 'no library in a wheel has the name of one of the system' \
        sh -c 'readelf -d unpacked/gpufilter/lib/gf_* | grep SONAME | grep -v "\[gf_"'
    readelf -p .note.dlopen unpacked/gpufilter/bin/gpufilter | sed -n 's/.*"soname":\["\([^"]*\)".*/\1/p' | sort >late
    is 'a program of a wheel opens libraries late' "$([ -s late ] && echo yes)" yes
    sed -n 's/^- \(lib.*\.so\.[0-9]*\): .*/\1/p' unpacked/*.dist-info/METADATA | sort >described
    same described late 'the description of a wheel lists the libraries that are opened late'
    is 'programs of a wheel have no symbols' "$(readelf -S unpacked/gpufilter/bin/* unpacked/gpufilter/lib/* |
        grep -cE '\.(symtab|debug_info)')" 0
else
    skip 'no objdump or readelf here'
fi
is 'each library of a wheel has its license' "$(ls unpacked/*.dist-info/licenses | grep -vcx 'cuda\.txt')" \
    "$(($(ls unpacked/gpufilter/lib | wc -l)))"
is 'a wheel has the license of CUDA if it has code for GPUs' \
    "$(ls unpacked/*.dist-info/licenses | grep -cx 'cuda\.txt')" \
    "$(gf --version -v | grep -c '^CUDA: built in')"
nothing 'no library of a wheel is under the GPL' grep -rlE 'GPL|General Public License' unpacked/gpufilter-*/licenses
cat >record.py <<'END_PY'
import base64, csv, hashlib, sys, zipfile
file = zipfile.ZipFile(sys.argv[1])
rows = {row[0]: row[1:] for row in csv.reader(file.read(next(n for n in file.namelist() if n.endswith("/RECORD")))
                                              .decode().splitlines())}
assert sorted(rows) == sorted(file.namelist()), "names differ"
for name, (digest, size) in rows.items():
    data = file.read(name)
    known = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    assert name.endswith("/RECORD") or (digest, int(size)) == (known, len(data)), name
END_PY
works 'the record of a wheel has each file and its digest' python3 record.py "$wheel"
cat >metadata.py <<'END_PY'
import email, glob
text = email.message_from_file(open(glob.glob("unpacked/*.dist-info/METADATA")[0], encoding="utf-8"))
print(text["Name"], text["Version"], text["Requires-Python"], text["License"], text.get_all("Provides-Extra"),
      text.get_all("Requires-Dist"), "@" in text.get_payload())
END_PY
is 'the metadata of a wheel has what pip reads' "$(python3 metadata.py 2>&1)" \
    "gpufilter $version >=3.9 MIT ['numpy'] ['numpy; extra == \"numpy\"'] False"
# A bundled library under the GPL, and one without a license, are refused.
cat >refused.py <<'END_PY'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import wheel
wheel.license_of("libx.so.1", sys.argv[2])
END_PY
refuses 1 'no package has its license' 'a library without a license is not bundled' \
    python3 refused.py "$tree/src/python" "$PWD/record.py"
gpl=$(dpkg-query -S /bin/bash /usr/bin/bash 2>errors | head -n 1)
if [ -n "$gpl" ]; then
    refuses 1 'is under the GPL' 'a file under the GPL is not bundled' \
        python3 refused.py "$tree/src/python" "${gpl#*: }"
else
    skip 'no bash from a package here'
fi

# ---- installed

# in_venv NAME PROGRAM ARGUMENT...: runs a program of an environment, with nothing else in PATH.
in_venv()
{
    venv=$PWD/$1 program=$PWD/$1/bin/$2
    shift 2
    env -i PATH="$venv/bin" HOME="$scratch" PIP_CONFIG_FILE=/dev/null "$program" "$@"
}
install_in() { in_venv "$1" pip install -q --no-index --no-cache-dir --disable-pip-version-check "$wheel"; }

python3 -m venv bare >out 2>errors || { skip 'python3 cannot make an environment'; finish; }
works 'pip installs a wheel without network' install_in bare
image in.pgm 3 2 1 255 1
gf -q -i in.pgm invert -t raw -o wanted.raw
cat >apply.py <<'END_PY'
import sys
import gpufilter as gf
try:
    import numpy
    sys.exit("numpy is here")
except ImportError:
    pass
pixels = open("in.pgm", "rb").read()[-6:]
open("found.raw", "wb").write(gf.apply("invert", memoryview(pixels).cast("B", (2, 3))).tobytes())
gf.run(["-q", "-i", "in.pgm", "invert", "-t", "raw", "-o", "ran.raw"])
print(gf.version())
theirs = {line.split()[-1] for line in open("/proc/self/maps") if "/gf_" in line or "libgpufilter" in line}
print(len(theirs), all(path.startswith(sys.prefix) for path in theirs))
END_PY
is 'an installed package runs without numpy' "$(in_venv bare python apply.py 2>&1 | tr '\n' ' ')" \
    "$version $(ls unpacked/gpufilter/lib | wc -l | tr -d ' ') True "
same found.raw wanted.raw 'an installed package has the results of the program'
same ran.raw wanted.raw 'the program in a package has the same results'
is 'the command of a package runs' "$(in_venv bare gpufilter --version 2>&1 | head -n 1)" "gpufilter $version"
is 'python -m runs the program of a package' "$(in_venv bare python -m gpufilter --version 2>&1 | head -n 1)" \
    "gpufilter $version"
in_venv bare gpufilter -q -i in.pgm blur:radius=x -o refused.pgm >out 2>&1
is 'the command of a package has the status of the program' $? 2
for suffix in webp jpg png tif; do
    if gf -q -i in.pgm -o theirs.$suffix 2>errors; then
        in_venv bare gpufilter -q -i in.pgm -o ours.$suffix
        same ours.$suffix theirs.$suffix "the program of a package writes the same $suffix"
    else
        skip "no $suffix is written here"
    fi
done

if python3 -c 'import numpy, PIL.Image' 2>errors && python3 -m venv --system-site-packages full >out 2>errors; then
    install_in full >out 2>&1
    cat >arrays.py <<'END_PY'
import sys
import numpy
from PIL import Image
import gpufilter as gf
given = numpy.arange(24, dtype=numpy.uint8).reshape(2, 4, 3)
print(type(gf.apply("invert", given)).__name__, (gf.apply("invert", given) == 255 - given).all())
result = gf.apply("invert", Image.fromarray(given))
print(isinstance(result, Image.Image), (numpy.asarray(result) == 255 - given).all())
print(gf.__file__.startswith(sys.prefix))
END_PY
    is 'an installed package takes arrays of numpy and images of Pillow' \
        "$(in_venv full python arrays.py 2>&1 | tr '\n' ' ')" 'ndarray True True True True '
else
    skip 'no numpy and Pillow here'
fi

in_venv bare pip uninstall -q -y --disable-pip-version-check gpufilter >out 2>&1
nothing 'after pip uninstall no file is left' find bare -name '*gpufilter*'
finish
