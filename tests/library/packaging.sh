# The files for packages: versions agree, and each installed file is in one package.
. "$(dirname "$0")/../lib.sh"
built=$(dirname "$GPUFILTER")
packaging=$tree/src/packaging
[ -f "$built/Makefile" ] && [ -f "$tree/configure.ac" ] || skip_all 'there is no build folder here'
unset MAKEFLAGS MFLAGS MAKELEVEL

# ---- versions

version=$(sed -n 's/^AC_INIT(\[gpufilter\], \[\(.*\)\])$/\1/p' "$tree/configure.ac")
is 'the program has the version of configure.ac' "$(gf --version | head -n 1)" "gpufilter $version"
is 'the news begin with this version' "$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$tree/NEWS.md" | head -n 1)" "$version"
is 'the changelog of packages begins with this version' \
    "$(sed -n '1s/^gpufilter (\(.*\)-[0-9]*) .*/\1/p' "$packaging/debian/changelog")" "$version"
is 'the description for pkg-config has this version' "$(sed -n 's/^Version: //p' "$built/gpufilter.pc")" "$version"
is 'the manual has this version' \
    "$(cat "$built"/man/*.[137] | grep -c "^\.TH .*\"gpufilter $version\"")" \
    "$(ls "$tree"/man/*.[137].in | wc -l)"
# Pages name files with * in place of the version.
grep -noE 'gpufilter[-_][0-9]+\.[0-9]+[-0-9._a-z]*' "$tree/README.md" "$tree"/man/*.md >named
nothing 'no page names a file with a version' cat named
abi=$(sed -n 's/^#define GPUFILTER_ABI //p' "$tree/src/library/gpufilter.h")
is 'library, symbols and package have the number of the ABI' \
    "$(grep -c "soname,libgpufilter\.so\.$abi " "$tree/Makefile.am") \
$(grep -c "'GPUFILTER_$abi {" "$tree/Makefile.am") \
$(grep -c "^Package: libgpufilter$abi\$" "$packaging/debian/control")" '1 1 1'

# ---- files

# Paths of packages become patterns of grep: * is a part of a name.
install_all() { ${MAKE:-make} -s -C "$built" install DESTDIR="$scratch/root" prefix=/usr libdir=/usr/lib/triplet \
    docdir=/usr/share/doc/gpufilter; }
works 'the files of packages can be installed' install_all
(cd root && find . ! -type d | sed 's|^\./||' | sort) >installed
for file in "$packaging"/debian/*.install "$packaging/debian/not-installed"; do
    sed 's/[.]/\\./g; s/\*/[^\/]*/g; s|.*|^&(/\|$)|' "$file" >pattern
    grep -E -f pattern installed | sed "s|\$| ${file##*/}|"
    grep -qE -f pattern installed || [ "${file##*/}" = python3-gpufilter.install ] || echo "nothing for ${file##*/}"
done >owned
cut -d ' ' -f 1 owned | sort >owned.names
nothing 'each installed file is in one package' diff installed owned.names
is 'there are five packages, and two for GPUs' \
    "$(sed -n 's/^Package: //p' "$packaging/debian/control" | sort | tr '\n' ' ')" \
    'gpufilter gpufilter-cuda gpufilter-doc libgpufilter-dev libgpufilter0 libgpufilter0-cuda python3-gpufilter '
if command -v dpkg-parsechangelog >parse.path; then
    works 'the changelog of packages can be parsed' dpkg-parsechangelog -l "$packaging/debian/changelog"
else
    skip 'no dpkg-dev here'
fi
# The lists of libraries in configure, packages and the image are the same.
sed -n 's/^ *\(lib[a-z0-9]*-dev\|zlib1g-dev\).*/\1/p' "$packaging/debian/control" | sort >needed
grep -ow 'lib[a-z0-9]*-dev\|zlib1g-dev' "$packaging/Containerfile" | sort >in-image
same in-image needed 'an image is built with the libraries of packages'
finish
