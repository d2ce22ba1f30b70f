# Shared by tests of packages: a fresh Debian in a folder, commands in it, and gpufilter used there. Read after lib.sh.

# The mirror and the settings that apt uses here
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 2>/dev/null | head -n 1)

# need_root: skips the file if no fresh Debian can be made here.
need_root()
{
    [ "$(id -u)" = 0 ] || skip_all 'only root makes a fresh system'
    for program in debootstrap unshare chroot; do
        command -v $program >program.path || skip_all "no $program here"
    done
    [ -n "$mirror" ] || skip_all 'apt has no mirror of Debian here'
    unshare --mount true 2>errors || skip_all "no mounts here: $(cat errors)"
}

# new_root RELEASE FOLDER: makes the smallest system of this release, or unpacks it from GPUFILTER_KEEP_ROOTS.
new_root()
{
    kept=${GPUFILTER_KEEP_ROOTS:+$GPUFILTER_KEEP_ROOTS/$1.tar}
    mkdir -p "$2" ${kept:+"$GPUFILTER_KEEP_ROOTS"} || return
    if [ -n "$kept" ] && [ -f "$kept" ]; then
        tar -C "$2" -xf "$kept"
        return
    fi
    debootstrap --variant=minbase "$1" "$2" "$mirror" >debootstrap.log 2>&1 ||
        { tail -n 5 debootstrap.log >&2; return 1; }
    rm -rf "$2"/var/cache/apt/archives/*.deb
    echo '127.0.0.1 localhost' >"$2/etc/hosts"
    apt-config dump Acquire | grep '::Proxy' >"$2/etc/apt/apt.conf.d/00proxy"
    cat >"$2/etc/apt/apt.conf.d/01test" <<'END_CONF'
APT::Get::Assume-Yes "1";
Dpkg::Use-Pty "0";
END_CONF
    [ -z "$kept" ] || { tar -C "$2" -cf "$kept.tmp" . && mv -f "$kept.tmp" "$kept"; }
}

# in_root FOLDER COMMAND...: runs a command as root of the fresh system. Its mounts and processes end with it. $binds
# has more folders for it, each as FOLDER:NAME-THERE.
in_root()
{
    folder=$1
    shift
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive unshare --mount --pid --fork --kill-child sh -c '
            folder=$1 binds=$2
            shift 2
            mount -t proc proc "$folder/proc" && mount --rbind /dev "$folder/dev" || exit
            for bind in $binds; do
                mkdir -p "$folder/${bind#*:}" && mount --bind "${bind%%:*}" "$folder/${bind#*:}" || exit
            done
            exec chroot "$folder" "$@"' \
        - "$folder" "$binds" "$@"
}

# make_inputs: makes an image and a recording, and what this build makes of them.
make_inputs()
{
    image in.ppm 60 40 3 255 5
    sound in.wav 9000 2 3
    gf -q --device cpu -i in.ppm gray blur:2 rotate:30 -t raw -o image.wanted
    gf -q --device cpu -i in.wav gain:-3 lowpass:2000 -t raw -o audio.wanted
}

# use_program PLACE GPUFILTER FOLDER: tests the program with the inputs, which are in FOLDER. GPUFILTER is a command
# that runs it there.
use_program()
{
    is "$1, the program has its version" "$($2 --version | head -n 1)" "$(gf --version | head -n 1)"
    works "$1, an image is filtered" $2 -q --device cpu -i in.ppm gray blur:2 rotate:30 -t raw -o image.raw
    same "$3/image.raw" image.wanted "$1, a filtered image has the bytes of this build"
    works "$1, audio is filtered" $2 -q --device cpu -i in.wav gain:-3 lowpass:2000 -t raw -o audio.raw
    same "$3/audio.raw" audio.wanted "$1, filtered audio has the bytes of this build"
    for kind in png tif webp jpg flac mp3; do
        from=in.ppm
        case $kind in flac | mp3) from=in.wav ;; esac
        $2 -q -i $from -o stored.$kind && $2 -q -i stored.$kind -t raw -o $kind.raw && [ -s "$3/$kind.raw" ] ||
            echo "no $kind"
        case $kind in png | tif | flac) gf -q -i $from -t raw -o kept.raw && cmp kept.raw "$3/$kind.raw" ;; esac
    done >kinds 2>&1
    nothing "$1, formats are written and read" cat kinds
}
