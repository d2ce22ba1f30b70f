# The image of src/packaging/Containerfile: its own lines are run in fresh systems, without podman and docker, and the
# image is used as by an ordinary user, with a read-only system. If there is a CUDA toolkit, the image for GPUs is
# tested, too. It is built for one kind of GPU, to save time; GPUFILTER_CONTAINER_CONFIGURE has other options of
# configure. GPUFILTER_CONTAINER_TARGETS=cpu leaves this image out.
. "$(dirname "$0")/../lib.sh"
. "$here/lib_root.sh"
need_root
file=$tree/src/packaging/Containerfile
keep_binds=
mkdir images

# setting WORD: prints what the last step of this kind in the stage $root says.
setting() { sed -n "s/^$1	//p" "$root.set" | tail -n 1; }

# make_system NAME: makes the system of an image of others.
make_system()
{
    : >"$root.env"
    : >"$root.set"
    case $1 in
    debian:*-slim)
        release=${1#debian:}
        new_root "${release%-slim}" "$root" && rm -rf "$root"/var/lib/apt/lists/* ;;
    nvidia/cuda:*) mkdir "$root" ;;                     # its toolkit is that of this machine
    *) echo "no system for $1"; return 1 ;;
    esac
}

# copy_step [--from=STAGE] NAME FOLDER
copy_step()
{
    case $1 in
    --from=toolkit) keep_binds="$keep_binds $toolkit:$3" ;;
    --from=*) cp -a "images/${1#--from=}$2" "$root$3" ;;
    *) mkdir -p "$root$2" && sed 's|^|./|' "$file.dockerignore" >ignored &&
        tar -C "$tree/$1" --anchored --exclude-from="$scratch/ignored" -c . | tar -C "$root$2" -x --no-same-owner ;;
    esac
}

# run_step COMMAND: the first word may be a mount.
run_step()
{
    command=$1 there=
    binds=$keep_binds
    case $1 in --mount=type=bind,from=*)
        mount=${1%% *} command=${1#* }
        from=${mount#*,from=} from=${from%%,*} source=${mount#*,source=} there=${mount#*,target=}
        binds="$binds $scratch/images/$from${source%%,*}:${there%%,*}" ;;
    esac
    workdir=$(setting WORKDIR)
    in_root "$root" env -C "${workdir:-/}" $(cat "$root.env") sh -c "$command" || return
    [ -z "$there" ] || rmdir "$root${there%%,*}"
}

# do_step WORD TEXT: does one line of the Containerfile in the stage $root.
do_step()
{
    case $1 in
    FROM)
        if [ -d "images/$2" ]; then
            cp -a "images/$2" "$root" && cp "images/$2.env" "$root.env" && cp "images/$2.set" "$root.set"
        else
            make_system "$2"
        fi ;;
    ENV) printf '%s\n' "$2" >>"$root.env" ;;
    USER | WORKDIR | ENTRYPOINT)
        printf '%s\t%s\n' "$1" "$2" >>"$root.set"
        [ "$1" != WORKDIR ] || mkdir -p "$root$2" ;;
    COPY) copy_step $2 ;;
    RUN) run_step "$2" ;;
    *) echo "no such step: $1"; return 1 ;;
    esac
}

# make_image TARGET: makes the folder images/TARGET, and those of all stages that it needs.
make_image()
{
    awk -f "$here/container.awk" -v target="$1" \
        -v configure="${GPUFILTER_CONTAINER_CONFIGURE---with-cuda-arch=90}" "$file" >steps || return
    for stage in $(cut -f 1 steps | uniq); do
        root=$scratch/images/$stage
        [ ! -f "$root.made" ] || continue
        grep "^$stage	" steps | cut -f 2- >step
        while IFS='	' read -r word text <&3; do
            do_step "$word" "$text" >step.log 2>&1 || { echo "$stage: $word $text"; tail -n 20 step.log; return 1; } >&2
        done 3<step
        keep_binds=
        : >"$root.made"
    done
}

# in_image FOLDER COMMAND...: runs a command as the user of the image $root, without rights, network and a system that
# can be changed. FOLDER is its working folder, and a new file system is in /var/tmp.
in_image()
{
    work=$1
    shift
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin $(cat "$root.env") \
        unshare --mount --pid --net --ipc --fork --kill-child sh -c '
            root=$1 user=$2 workdir=$3 work=$4
            shift 4
            mount --bind "$root" "$root" && mount -o remount,bind,ro "$root" &&
            mount -t proc -o nosuid proc "$root/proc" && mount --rbind /dev "$root/dev" &&
            mount -t tmpfs tmpfs "$root/var/tmp" && mount --bind "$work" "$root$workdir" &&
            exec chroot "$root" setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \
                --bounding-set=-all --inh-caps=-all env -C "$workdir" "$@"' \
        - "$root" "$(setting USER)" "$(setting WORKDIR)" "$work" "$@"
}

# contained ARGUMENT...: runs the entry point of the image in the folder of the user.
contained() { in_image "$scratch/data" $(setting ENTRYPOINT | tr -d '[]",') "$@"; }

# use_image TARGET: ten commands of a user.
use_image()
{
    mkdir -p data
    rm -f data/*
    cp in.ppm in.wav big.ppm data
    chown -R "$(in_root "$root" id -u "$(setting USER)")" data
    in_image "$scratch/data" sh -c 'id -u; cat /proc/self/status; touch /etc/new /usr/new /data/new' >status 2>&1
    is "in $1, the user has no rights" \
        "$(grep -cE '^Cap(Eff|Prm|Bnd):.0*$' status) $(head -n 1 status | grep -cx 0)" '3 0'
    is "in $1, only the working folder can be written" "$(grep -c 'Read-only file system' status) $(ls data/new)" \
        '2 data/new'
    use_program "in $1" contained data
    gf --version | grep '^sandbox: ' >sandbox.here
    contained --version | grep '^sandbox: ' >sandbox.there
    same sandbox.there sandbox.here "in $1, the sandbox is as complete as outside"
    if gf -q --sandbox -i in.ppm -o out.ppm 2>errors; then
        works "in $1, files of strangers are filtered" contained -q --untrusted -i in.ppm blur -o untrusted.png
    else
        skip "no sandbox here: $(cat errors)"
    fi
    contained -q -i - rotate:90 -t png -o - <in.ppm >piped.png 2>errors
    gf -q -i in.ppm rotate:90 -t raw -o wanted.raw
    gf -q -i piped.png -t raw -o found.raw
    same found.raw wanted.raw "in $1, pipes go through"
    works "in $1, data too large for memory goes to a folder that is given" \
        contained -q --device cpu --memory 1M -i big.ppm rotate:90 -o turned.ppm
    same data/turned.ppm turned.wanted "in $1, results with little memory are the same"
    contained -q -i in.ppm blur:radius=x -o refused.ppm >out 2>&1
    is "in $1, the status is that of the program" $? 2
}

# swap_packages: packages for GPUs take the place of the others, which the stages have left.
swap_packages()
{
    root=$scratch/images/swapped
    binds=
    cp -a images/base "$root" && mkdir "$root/debs" && cp images/build-*/build/deb/*.deb "$root/debs" || return
    in_root "$root" sh -ec '
        install="apt-get -q --no-install-recommends install"
        apt-get -q update
        $install /debs/gpufilter_*.deb /debs/libgpufilter0_*.deb /debs/libgpufilter-dev_*.deb
        $install /debs/gpufilter-cuda_*.deb /debs/libgpufilter0-cuda_*.deb' >swap.log 2>&1 || tail -n 20 swap.log >&2
    in_root "$root" dpkg-query -W -f '${db:Status-Status} ${Package}\n' |
        sed -n 's/^installed \(.*gpufilter.*\)/\1/p' >installed
    in_root "$root" gpufilter --version | grep -o '^CUDA: built in' >>installed
}

make_inputs
image big.ppm 1500 1000 3 255 6
gf -q --device cpu -i big.ppm rotate:90 -t ppm -o turned.wanted
toolkit=${CUDA_HOME:-/usr/local/cuda}
targets='cpu cuda'
[ -x "$toolkit/bin/nvcc" ] || { targets=cpu; skip "the image for GPUs is made: no nvcc in $toolkit"; }
for target in ${GPUFILTER_CONTAINER_TARGETS:-$targets}; do
    works "the image $target is made" make_image $target
    root=$scratch/images/$target
    [ -f "$root.made" ] || continue
    tar -C "$root" -c . | gzip -6 | wc -c >size
    [ $target != cpu ] || is 'the image cpu is smaller than 120 MB, compressed' "$(($(cat size) < 120000000))" 1
    echo "# $target: $(($(cat size) / 1000000)) MB compressed, $(du -sm "$root" | cut -f 1) MB unpacked"
    use_image $target
    [ $target = cuda ] || continue
    works 'packages for GPUs are installed over the others' swap_packages
    is 'packages for GPUs replace two and keep the third' "$(tr '\n' ' ' <installed)" \
        'gpufilter-cuda libgpufilter-dev libgpufilter0-cuda CUDA: built in '
done
finish
