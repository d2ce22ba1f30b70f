# Compares the machine code of two builds: sh tests/same_code.sh BUILD1 BUILD2 COMMIT1 COMMIT2
# Commits that only move or rename files leave it as it is. Git says which object has become which.
# GPU code is compared if cuobjdump is installed.
set -eu
old=$1 new=$2 from=$3 to=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# code OBJECT: the bytes of its sections of code, as hexadecimal text.
code()
{
    objdump -s "$1" | awk '/^Contents of section / { wanted = $4 ~ /^\.text/; if (wanted) print $4; next }
                           wanted { print substr($0, 1, 42) }'
    case $1 in
    *.cuo)
        if command -v cuobjdump >/dev/null; then
            cuobjdump -sass "$1" | sed -n 's/.*\(\/\*[0-9a-f]*\*\/ .*\)/\1/p'
        fi
        ;;
    esac
}

objects() { (cd "$1" && find . -name '*.o' -o -name '*.cuo' | sed 's/^\.\///' | sort); }

git diff -M30% --name-status "$from" "$to" | awk '$1 ~ /^R/ { print $2, $3 }' | sed -E 's/\.cu\b/.cuo/g; s/\.c\b/.o/g' >"$scratch/renames"
objects "$old" >"$scratch/old"
objects "$new" | sort >"$scratch/new"
awk 'FILENAME == ARGV[1] { to[$1] = $2; next } { print $1, ($1 in to) ? to[$1] : $1 }' "$scratch/renames" "$scratch/old" >"$scratch/pairs"
awk '{ print $2 }' "$scratch/pairs" | sort >"$scratch/expected"
if ! cmp -s "$scratch/expected" "$scratch/new"; then
    echo 'the builds have different objects:'
    diff "$scratch/expected" "$scratch/new" | head -20 || :
    exit 1
fi
count=0 differ=0
while read -r a b; do
    code "$old/$a" >"$scratch/a"
    code "$new/$b" >"$scratch/b"
    count=$((count + 1))
    cmp -s "$scratch/a" "$scratch/b" || { echo "$b differs from $a"; differ=$((differ + 1)); }
done <"$scratch/pairs"
echo "$count objects, $differ with other code"
[ $count -gt 0 ] && [ $differ = 0 ]
