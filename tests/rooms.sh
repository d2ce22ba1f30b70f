# Tests which room may use which, and that no two files need each other. It checks includes, direct
# and indirect, and the symbols that object files need from each other.
. "$(dirname "$0")/lib.sh"
source=$tree
built=$(dirname "$GPUFILTER")

# A room is a folder with its subfolders, unless these have their own lines in this table. A file
# may reach its own room and the rooms on its line, through all its includes. Each room that a line
# names must have a line further up. "kernels" means every room of kernels/ except the lessons,
# which only gpufilter-bench may use. The chain finds the stages of filters/, io finds the formats,
# and other rooms find the operations of kernels/, all through src/registry.c. That file is
# generated and not checked.
cat >rooms <<'END'
base                    -
table                   base
kernels/base            base
kernels/neighbourhood   kernels/base base
kernels/geometry        kernels/base base
kernels/statistics      kernels/base base
kernels/pixel           kernels/base base
kernels/sound           kernels/base base
kernels/lessons         kernels/base base
kernels                 kernels base
io                      table base
chain                   io table kernels base
filters                 chain table kernels base
plan                    chain table kernels base
device                  plan chain table kernels base
report                  device plan chain io table kernels base
run                     report device plan chain io table kernels base
library                 run report device plan chain io table kernels base
vapoursynth             library
batch                   run report device plan chain io table kernels base
cli                     batch run report device plan chain io table kernels base
main                    cli batch run report device plan chain io table kernels base
bench                   cli kernels/lessons batch run report device plan chain io table kernels base
END

# Functions that both checks use.
cat >rooms.awk <<'END'
function read_rooms(    line, part, n, i) {
    while ((getline line <"rooms") > 0) {
        n = split(line, part, " ")
        names[++count] = part[1]
        for (i = 2; i <= n; i++) {
            if (part[i] != "-" && !(part[i] in row) && part[i] != part[1])
                print "the row of " part[1] " names " part[i] ", which has no row above it"
            allowed[part[1], part[i]] = 1
        }
        row[part[1]] = 1
    }
}
# The room of a path is the row with the longest name that the path starts with.
function room_of(path,    name) {
    sub(/^src\//, "", path)
    name = path
    while (sub(/\/[^\/]*$/, "", name))
        if (name in row)
            return name
    sub(/\..*/, "", path)
    return path
}
function may(from, to) {
    return from == to || (from, to) in allowed ||
        (to ~ /^kernels\// && to != "kernels/lessons" && (from, "kernels") in allowed)
}
END

if [ -f "$source/src/main.c" ]; then
    (cd "$source" && find src kernels filters -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' |
        grep -vx src/registry.c |
        xargs grep -HE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]') >lines
    (cd "$source" && find src kernels filters -name '*.h' -o -name '*.cuh') >headers
    # A name in < > belongs to the system, unless the tree has the file.
    sed 's/:[^"<]*\(["<]\)\([^">]*\).*/ \1 \2/' lines |
        awk 'FILENAME == "headers" { sub(/^src\//, ""); known[$1] = 1; next }
             $2 == "\"" || $3 in known { print $1, $3 }' headers - >includes
    cat rooms.awk - >reach.awk <<'END'
BEGIN { read_rooms() }
{ files[$1] = 1; includes[$1] = includes[$1] " " $2 }
# Returns the path of the file that an include names.
function resolve(name) { return ("src/" name) in known ? "src/" name : name }
function visit(first, file, path,    part, n, i, to) {
    n = split(includes[file], part, " ")
    for (i = 1; i <= n; i++) {
        to = resolve(part[i])
        if ((first, to) in seen)
            continue
        seen[first, to] = 1
        if (!may(room_of(first), room_of(to)))
            print path " includes " to ": " room_of(first) " may not know " room_of(to)
        else
            visit(first, to, path " includes " to)
    }
}
END {
    while ((getline line <"headers") > 0)
        known[line] = 1
    for (file in files)
        visit(file, file, file)
}
END
    awk -f reach.awk includes | sort >found
    if [ -s includes ] && [ ! -s found ]; then
        pass 'no file reaches a room that its own may not use'
    else
        fail 'no file reaches a room that its own may not use'
        head -40 found | note
    fi
    # CUDA code is in the rooms of kernels and of the device. gpufilter-bench has two files: one
    # times kernels with events, and one is a shared object of its own, with peers that are
    # templates or need kernels.
    (cd "$source" && find src filters -name '*.cu' -o -name '*.cuh') |
        grep -vE '^src/(device/cuda/.*|bench/(bench_profile|peers/cuda_code|roofline/gpu_arithmetic_kernel)\.cu)$' \
            >found
    if [ ! -s found ]; then
        pass 'CUDA code is in kernels, in the device, and in three files of the bench'
    else
        fail 'CUDA code is in kernels, in the device, and in three files of the bench'
        note <found
    fi
    awk '$2 !~ /\//' includes >found
    if [ ! -s found ]; then
        pass 'every include names its room'
    else
        fail 'every include names its room'
        note <found
    fi
else
    skip 'no source here'
fi

# Object files of the current build, without the registry, which refers to all rooms.
(cd "$built" && find src kernels filters -name '*.o' -o -name '*.cuo') 2>/dev/null | sort |
    while read -r object; do
        file=${object%o}                             # .c has .o, .cu has .cuo; objects of moved files are ignored
        case $file in *.) file=${file}c ;; esac
        [ ! -f "$source/$file" ] || [ "$file" = src/registry.c ] || echo "$object"
    done >objects
if [ ! -s objects ] || ! command -v nm >/dev/null || [ ! -f "$source/src/main.c" ]; then
    skip 'no circle between rooms: there are no object files, or there is no nm'
    skip 'no circle between modules: the same'
    skip 'no circle between files: the same'
    skip 'no object needs a symbol of a room that its own may not use: the same'
    finish
fi
(cd "$built" && xargs nm -A -P -g) <objects 2>/dev/null >symbols
(cd "$source" && find src kernels filters -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh') >stems
cat rooms.awk - >needs.awk <<'END'
BEGIN {
    read_rooms()
    while ((getline line <"stems") > 0) {
        sub(/\.[a-z]*$/, "", line)
        stem[line] = 1
    }
}
# The module of a file is the shortest stem in its folder that its own name starts with.
function module_of(file,    folder, name, part, n, i, begun) {
    folder = name = file
    sub(/[^\/]*$/, "", folder)
    sub(/.*\//, "", name)
    n = split(name, part, "_")
    for (i = 1; i <= n; i++) {
        begun = i == 1 ? part[1] : begun "_" part[i]
        if ((folder begun) in stem)
            return folder begun
    }
    return file
}
# The file `includes` has lines "file header". A header is a part of its module, whose files may share
# it; so circles of files are circles of headers, or of symbols.
FILENAME == "includes" {
    to = $2 ~ /^(kernels|filters)\// ? $2 : "src/" $2
    if (kind == "modules")
        edge(module_of(stem_of($1)), module_of(stem_of(to)), $1 " includes " to)
    else if (kind == "files")
        edge($1, to, "include")
    next
}
# nm -A -P prints "file: name type value size". A .cu and the .c of its stem count as one file.
{
    file = $1
    sub(/\.c?u?o:$/, "", file)
    if ($3 == "U")
        need[++needs] = file SUBSEP $2
    else if ($3 ~ /^[TDBRCi]$/)
        home[$2] = file
}
function stem_of(file) {
    sub(/\.[a-z]*$/, "", file)
    return file
}
function edge(from, to, why) {
    if (from == to || (from, to) in reason)
        return
    reason[from, to] = why
    node[from] = node[to] = 1
}
# Removes all nodes that are not part of a cycle, and prints the remaining edges.
function print_circles(    changed, n, out, in_, key, ends) {
    do {
        changed = 0
        split("", out)
        split("", in_)
        for (key in reason) {
            split(key, ends, SUBSEP)
            if (ends[1] in node && ends[2] in node) {
                out[ends[1]] = 1
                in_[ends[2]] = 1
            }
        }
        for (n in node)
            if (!(n in out) || !(n in in_)) {
                delete node[n]
                changed = 1
            }
    } while (changed)
    for (key in reason) {
        split(key, ends, SUBSEP)
        if (ends[1] in node && ends[2] in node)
            print ends[1] " needs " ends[2] ": " reason[key]
    }
}
END {
    for (i = 1; i <= needs; i++) {
        split(need[i], part, SUBSEP)
        if (!(part[2] in home))
            continue
        from = part[1]
        to = home[part[2]]
        if (kind == "modules")
            edge(module_of(from), module_of(to), part[2] " (" from ", " to ")")
        else if (kind == "files")
            edge(from, to, part[2])
        else if (kind == "rooms")
            edge(room_of(from), room_of(to), part[2] " (" from ", " to ")")
        else if (!may(room_of(from), room_of(to)))
            print from " needs " part[2] " of " to
    }
    if (kind != "table")
        print_circles()
}
END
for kind in rooms modules files table; do
    awk -v kind=$kind -f needs.awk includes symbols | sort >found
    case $kind in
    table) name='no object needs a symbol of a room that its own may not know' ;;
    rooms) name="no circle between rooms, by the symbols of $(wc -l <objects) objects" ;;
    *) name="no circle between $kind, by includes and by the symbols of $(wc -l <objects) objects" ;;
    esac
    if grep -q ' gf_fail T ' symbols && [ ! -s found ]; then
        pass "$name"
    else
        fail "$name"
        head -60 found | note
    fi
done
finish
