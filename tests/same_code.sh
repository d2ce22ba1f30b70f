# Compares the code of two builds: sh tests/same_code.sh BUILD1 BUILD2 COMMIT1 COMMIT2
# A commit that only moves or renames things does not change the code: instructions and data are the
# same, and each old symbol corresponds to one new symbol wherever it is defined or needed. Git
# tells which object has become which. Objects that exist in only one build are listed and not
# compared. GPU code is compared if cuobjdump is installed.
set -eu
old=$1 new=$2 from=$3 to=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# code OBJECT: prints the bytes of its code and data in hexadecimal. For objects of nvcc it prints
# only code, because nvcc puts a hash of the path into data.
code()
{
    case $1 in *.cuo) sections=text ;; *) sections='(text|data|rodata)' ;; esac
    objdump -s "$1" | awk -v wanted_name="^[.]$sections" \
        '/^Contents of section / { wanted = $4 ~ wanted_name; if (wanted) print $4; next }
                           wanted { print substr($0, 1, 42) }'
    case $1 in
    *.cuo)
        if command -v cuobjdump >/dev/null; then
            cuobjdump -sass "$1" | sed -n 's/.*\(\/\*[0-9a-f]*\*\/ .*\)/\1/p'
        fi
        ;;
    esac
}

# links OBJECT: prints the symbols that it needs and defines, with the name in the last column.
links()
{
    objdump -r "$1" | awk '/^RELOCATION RECORDS/ { wanted = $0 ~ /\[\.(text|data|rodata)/ }
        wanted && NF == 3 && $1 != "OFFSET" {
        symbol = $3; addend = ""
        if (match(symbol, /[+-]0x[0-9a-f]*$/)) {
            addend = substr(symbol, RSTART)
            symbol = substr(symbol, 1, RSTART - 1)
        }
        print $1, $2, addend, symbol }'
    objdump -t "$1" | awk '$2 == "g" { print "defines", $(NF - 2), $1, $NF }' | sort -k2,3
}

objects() { (cd "$1" && find src kernels filters -name '*.o' -o -name '*.cuo' | sort); }

git diff -M30% --name-status "$from" "$to" | awk '$1 ~ /^R/ { print $2, $3 }' |
    sed -E 's/\.cu\b/.cuo/g; s/\.c\b/.o/g' >"$scratch/renames"
objects "$old" >"$scratch/old"
objects "$new" >"$scratch/new"
awk 'FILENAME == ARGV[1] { to[$1] = $2; next } FILENAME == ARGV[2] { there[$1] = 1; next }
     { b = ($1 in to) ? to[$1] : $1; print (b in there) ? "pair" : "gone", $1, b; delete there[b] }
     END { for (b in there) print "new", b }' "$scratch/renames" "$scratch/new" "$scratch/old" >"$scratch/pairs"
grep -v '^pair' "$scratch/pairs" || :
count=0 differ=0 gpu=0
while read -r kind a b; do
    [ "$kind" = pair ] || continue
    code "$old/$a" >"$scratch/a"
    code "$new/$b" >"$scratch/b"
    links "$old/$a" >"$scratch/links-a"
    links "$new/$b" >"$scratch/links-b"
    sed 's/ [^ ]*$//' "$scratch/links-a" >"$scratch/shape-a"
    sed 's/ [^ ]*$//' "$scratch/links-b" >"$scratch/shape-b"
    count=$((count + 1))
    case $a in *.cuo) gpu=$((gpu + 1)) ;; esac
    if cmp -s "$scratch/a" "$scratch/b" && cmp -s "$scratch/shape-a" "$scratch/shape-b"; then
        paste -d ' ' "$scratch/links-a" "$scratch/links-b" | awk '{ print $(NF / 2), $NF }' >>"$scratch/symbols"
    else
        echo "$b differs from $a"
        differ=$((differ + 1))
    fi
done <"$scratch/pairs"
# Local symbols, which begin with a dot, may have any name.
sort -u "$scratch/symbols" | grep -v '^\.' >"$scratch/names"
for column in 1 2; do
    awk -v c=$column '{ n[$c]++; to[$c] = to[$c] " " $(3 - c) }
        END { for (s in n) if (n[s] > 1) print s " is several:" to[s] }' "$scratch/names"
done >"$scratch/crossed"
cat "$scratch/crossed"
if [ $gpu -gt 0 ] && ! command -v cuobjdump >/dev/null; then
    echo "GPU code of $gpu objects not compared: cuobjdump is not installed"
fi
echo "$count objects compared, $differ with other code; $(awk '$1 != $2' "$scratch/names" | wc -l) symbols renamed"
[ $count -gt 0 ] && [ $differ = 0 ] && [ ! -s "$scratch/crossed" ]
