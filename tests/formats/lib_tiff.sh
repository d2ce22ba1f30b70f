# Functions that build TIFF pages. Other tests source this file first.
. "$(dirname "$0")/../lib.sh"

# page BYTES TAG,TYPE,COUNT,VALUE...: writes a big-endian TIFF with one page. In VALUE, @ is the
# offset of the samples, which follow the entries. @N is N bytes more, and @@ are two offsets that
# are 4 bytes apart.
page()
{
    bytes=$1
    shift
    printf '%b' "$(${AWK:-awk} -v entries="$*" 'function put(v, n,    i, d) {
        for (i = n - 1; i >= 0; i--) {
            d = int(v / 256 ^ i)
            printf "\\0%03o", d % 256
        }
    }
    BEGIN {
        n = split(entries, list, " ")
        printf "MM\\0000\\0052"
        put(8, 4)
        put(n, 2)
        for (i = 1; i <= n; i++) {
            split(list[i], e, ",")
            at = 8 + 2 + 12 * n + 4
            value = e[4] ~ /^@[0-9]*$/ ? at + substr(e[4], 2) : e[4] == "@@" ? at * 65536 + at + 4 : e[4]
            put(e[1], 2); put(e[2], 2); put(e[3], 4)
            put(e[2] == 3 && e[3] == 1 ? value * 65536 : value, 4)
        }
        put(0, 4)
    }')$bytes"
}
plain() { tail -n +4 "$1" | od -An -v -tu1 | tr -s ' \n' ' '; }
samples() { od -An -v -tu1 "$1" | tr -s ' \n' ' ' | sed 's/.* 69 78 68 72 68 82 10//'; }

# warns PATTERN NAME COMMAND...: expects success and one line on standard error, a warning or a note
# that matches PATTERN.
warns()
{
    pattern=$1 name=$2
    shift 2
    "$@" >out 2>errors </dev/null
    status=$?
    if [ $status = 0 ] && [ "$(wc -l <errors)" = 1 ] && grep -q -- "$pattern" errors; then
        pass "$name"
    else
        fail "$name"
        { echo "$*: status $status, wanted 0 and a line with '$pattern'"; cat errors; } | note
    fi
}
