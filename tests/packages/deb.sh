# The packages of Debian: they are built in fresh systems of two releases, installed with apt, used, upgraded and
# removed. GPUFILTER_DEB_RELEASES names others. A build takes some minutes; with GPUFILTER_KEEP_ROOTS, a cache of the
# compiler makes the next one faster.
. "$(dirname "$0")/../lib.sh"
. "$here/lib_root.sh"
need_root
built=$(cd "$(dirname "$GPUFILTER")" && pwd)
[ -f "$built/Makefile" ] || skip_all 'there is no build folder here'
unset MAKEFLAGS MFLAGS MAKELEVEL
version=$(gf --version | sed -n 's/^gpufilter //p')
tarball=gpufilter-$version.tar.gz
works 'a tarball can be made for packages' ${MAKE:-make} -s -C "$built" dist distdir="gpufilter-$version"
mv "$built/$tarball" . || finish
tar -xf "$tarball" "gpufilter-$version/src/packaging"
packaging=gpufilter-$version/src/packaging
packages='gpufilter gpufilter-doc libgpufilter-dev libgpufilter0 python3-gpufilter'

# quietly COMMAND...: shows the end of what the command prints only if it fails.
quietly() { "$@" >log 2>&1 || { tail -n 20 log >&2; return 1; }; }

# ---- built

# build_packages RELEASE: builds in the folder build-RELEASE, and copies the results to debs-RELEASE.
build_packages()
{
    root=$scratch/build-$1 binds=
    new_root "$1" "$root" || return
    mkdir -p "$root/build/for-apt" && cp -r "$tarball" "$packaging" "$root/build" &&
        cp -r "$packaging/debian" "$root/build/for-apt" || return
    if [ -n "$GPUFILTER_KEEP_ROOTS" ]; then
        mkdir -p "$GPUFILTER_KEEP_ROOTS/ccache-$1"
        binds=$GPUFILTER_KEEP_ROOTS/ccache-$1:/ccache
    fi
    quietly in_root "$root" sh -ec '
        get="apt-get -q --no-install-recommends"
        $get update
        $get install build-essential ${1:+ccache}
        $get build-dep /build/for-apt
        cd /build
        PATH=/usr/lib/ccache:$PATH CCACHE_DIR=/ccache DEB_BUILD_OPTIONS="nocheck noautodbgsym" \
            sh packaging/make-deb "$2" debs' - "$binds" "$tarball" || return
    binds=
    mv "$root/build/debs" "debs-$1" && rm -rf "$root"
}

# older RELEASE: makes debs of an earlier version from those in debs-RELEASE, each with a file of its own.
older()
{
    mkdir "older-$1"
    for package in $packages; do
        rm -rf unpacked
        dpkg-deb -R "debs-$1/${package}"_*.deb unpacked &&
            sed -i "s/$version-1/0.8.7-1/g" unpacked/DEBIAN/control &&
            echo old >"unpacked/usr/share/doc/$package/only-in-old" &&
            dpkg-deb --root-owner-group -b unpacked "older-$1/$package.deb" >older.log || return
    done
}

# ---- used

cat >program.c <<'END_C'
#include <gpufilter.h>
#include <stdio.h>

int main(void)
{
    gpufilter_error error;
    gpufilter_options options = { .size = sizeof options, .device = "cpu" };
    gpufilter_session *session = gpufilter_open(&options, &error);
    gpufilter_chain *chain = session ? gpufilter_parse(session, "blur:2", GPUFILTER_IMAGE, &error) : NULL;
    printf("%s %s\n", gpufilter_version(), chain ? "parsed" : error.text);
    gpufilter_chain_free(chain);
    gpufilter_close(session);
    return chain == NULL;
}
END_C
cat >apply.py <<'END_PY'
import importlib.metadata
import gpufilter as gf
inverted = gf.apply("invert", memoryview(b"\0\1\2\3").cast("B", (2, 2)))
print(importlib.metadata.version("gpufilter"), inverted.tobytes().hex())
gf.run(["-q", "-i", "in.ppm", "invert", "-o", "from-python.ppm"])
END_PY
make_inputs

# as_user COMMAND...: runs a command in the system as an ordinary user in /home/user.
as_user() { in_root "$root" runuser -u user -- env -C /home/user HOME=/home/user "$@"; }
installed() { as_user gpufilter "$@"; }
packages_here() { in_root "$root" dpkg-query -W -f '${db:Status-Abbrev} ${Package} ${Version}\n'; }
# The list leaves out files that apt and dpkg keep for any package.
files_here()
{
    (cd "$root" && find . -xdev '(' -path ./var/cache -o -path ./var/lib/apt -o -path ./var/lib/dpkg \
        -o -path ./var/log -o -path ./home/user -o -path ./old -o -path ./build ')' -prune -o -print | sort)
}

# use_lines RELEASE: runs each line of README and man/install.md that installs, and then the one that purges, in the
# folder that has build/deb.
use_lines()
{
    sed -n 's/^sudo \(apt install [.][^ ]*\).*/\1/p' "$tree/README.md" "$tree/man/install.md" | sort -u >lines
    purge=$(sed -n 's/^- `sudo \(apt purge .*\)` leaves nothing.*/\1/p' "$tree/man/install.md" | sed 's/sudo //')
    is "on $1, pages have two lines that install packages" "$(wc -l <lines)" 2
    while read -r line <&3; do
        case $line in *python3*) use='python3 -c "import gpufilter"' ;; *) use='gpufilter --version' ;; esac
        works "on $1, a page says: $line" quietly in_root "$root" bash -ec "$line"
        works "on $1, a command runs then: $use" as_user sh -c "$use"
        works "on $1, a page says how to purge: $use" quietly in_root "$root" bash -ec "$purge"
        { packages_here; files_here; } | grep gpufilter >left
        nothing "on $1, nothing is left of this: $use" cat left
    done 3<lines
}

# use_packages RELEASE: ten commands of a user.
use_packages()
{
    home=$root/home/user
    cp in.ppm in.wav program.c apply.py "$home"
    use_program "on $1" installed "$home"
    works "on $1, colors are converted with a profile" installed -q --icc convert \
        -i stored.jpg -o converted.png
    works "on $1, the sandbox closes" installed -q --sandbox -i in.ppm -o sandboxed.png
    is "on $1, Python imports the package and runs the program" "$(as_user python3 apply.py 2>&1)" "$version fffefdfc"
    as_user sh -c 'cc -Wall -Werror program.c $(pkg-config --cflags --libs gpufilter) -o program && ./program' >out 2>&1
    is "on $1, a C program is compiled with pkg-config" "$(cat out)" "$version parsed"
    as_user sh -c 'for page in gpufilter gpufilter.3 gpufilter-stages; do man $page | wc -l; done' >pages 2>man.log
    is "on $1, manual pages are shown" "$(awk '$1 > 100' pages | wc -l) $(cat man.log)" '3 '
    works "on $1, the pages have their folder" \
        as_user sh -c 'cd /usr/share/doc/gpufilter && test -f html/index.html && test -f README.md'
}

for release in ${GPUFILTER_DEB_RELEASES:-bookworm trixie}; do
    works "on $release, the packages are built" build_packages $release
    [ -d debs-$release ] || continue
    is "on $release, there are five packages" \
        "$(cd debs-$release && ls *.deb | sed 's/_.*//' | sort | tr '\n' ' ')" "$packages "
    if command -v lintian >lintian.path; then
        works "on $release, lintian has no errors" lintian --allow-root --no-cfg --fail-on error debs-$release/*.changes
    else
        skip 'no lintian here'
    fi
    root=$scratch/$release
    works "on $release, an earlier version is packed for the upgrade" older $release
    new_root $release "$root" || { fail "on $release, a fresh system is made"; continue; }
    quietly in_root "$root" apt-get -q update
    quietly in_root "$root" apt-get -q --no-install-recommends install gcc libc6-dev man-db pkgconf
    mkdir -p "$root/old" "$root/build/deb"
    in_root "$root" useradd --create-home user
    packages_here >before.packages
    files_here >before.files
    cp older-$release/* "$root/old"
    for package in $packages; do cp debs-$release/${package}_* "$root/build/deb"; done
    use_lines $release
    works "on $release, apt installs the earlier version" quietly in_root "$root" sh -c 'apt-get -q install /old/*.deb'
    is "on $release, the earlier version is there" \
        "$(packages_here | grep -c 'ii .*gpufilter.* 0.8.7-1$') $(files_here | grep -c only-in-old)" '5 5'
    works "on $release, apt upgrades to this version" \
        quietly in_root "$root" sh -c 'apt-get -q install /build/deb/*.deb'
    is "on $release, the upgrade replaces all" \
        "$(packages_here | grep -c "ii .*gpufilter.* $version-1$") $(files_here | grep -c only-in-old)" '5 0'
    use_packages $release
    works "on $release, apt removes the packages" quietly in_root "$root" apt-get -q remove $packages
    is "on $release, the program is gone" "$(files_here | grep -cE '/usr/(bin|lib|include|share/doc)/.*gpufilter')" 0
    works "on $release, apt installs the packages again" \
        quietly in_root "$root" sh -c 'apt-get -q install /build/deb/*.deb'
    works "on $release, apt purges the packages" quietly in_root "$root" apt-get -q purge $packages
    # Packages that others here only recommend go, too.
    quietly in_root "$root" apt-get -q -o APT::AutoRemove::RecommendsImportant=false autoremove --purge
    packages_here >after.packages
    same before.packages after.packages "on $release, the packages are those from before"
    files_here >after.files
    diff before.files after.files | grep '^[<>]' >left.files
    nothing "on $release, nothing of the packages is left" cat left.files
    rm -rf "$root" debs-$release older-$release
done
finish
