# The programs are built with the checks that configure found: read-only relocations, a random address, a stack
# that is not executable and has canaries, and checked calls of the C library.
. "$(dirname "$0")/../lib.sh"
no_sanitizer 'it has checks of its own'
folder=${GPUFILTER%/*}
[ -f "$folder/Makefile" ] || skip_all 'the flags of the build are not known here'
! "$folder/config.status" --config 2>/dev/null | grep -q -- "--disable-hardening" || skip_all '--disable-hardening'
command -v readelf >/dev/null && command -v objdump >/dev/null || skip_all 'readelf or objdump is missing'

flags=$(sed -n 's/^GF_HARDENED_CFLAGS = *//p' "$folder/Makefile")
linking=$(sed -n 's/^GF_HARDENED_LDFLAGS = *//p' "$folder/Makefile")
compiler=$(sed -n 's/^CC = *//p' "$folder/Makefile")
is 'configure found a flag for the stack' "$(echo "$flags" | grep -o -- -fstack-protector-strong)" \
    -fstack-protector-strong
is 'configure found read-only relocations' "$(echo "$linking" | grep -o -- '-z,relro -Wl,-z,now')" '-z,relro -Wl,-z,now'

echo 'int main(void) { return 0; }' >tiny.c
$compiler $flags -O2 tiny.c $linking -o tiny 2>errors || note <errors
for program in gpufilter gpufilter-bench; do
    readelf -hldW "$folder/$program" >headers
    readelf --dyn-syms -W "$folder/$program" | awk '{ print $5, $7, $8 }' >symbols
    is "$program: a random address" "$(awk '/Type:/ { print $2; exit }' headers)" DYN
    is "$program: relocations are made read-only" "$(grep -c GNU_RELRO headers)" 1
    is "$program: before it starts" "$(grep -c 'BIND_NOW' headers)" 1
    is "$program: the stack is not executable" "$(awk '/GNU_STACK/ { print $7 }' headers)" RW
    is "$program: nothing is writable and executable" "$(grep -c 'LOAD.* RWE ' headers)" 0
    is "$program: the stack has canaries" "$(grep -c '__stack_chk_fail' symbols)" 1
    case $flags in
    *_FORTIFY_SOURCE*) is "$program: checked calls" "$(grep -c '__memcpy_chk' symbols)" 1 ;;
    *) skip "$program: checked calls, for which CFLAGS or CPPFLAGS chose" ;;
    esac
    is "$program: exports no function of its own" "$(awk '$2 != "UND" && $3 ~ /^gf_/' symbols | wc -l | tr -d ' ')" 0
    case $flags in
    *-fcf-protection*)
        is "$program: main() may be called indirectly" "$(objdump -d --disassemble=main "$folder/$program" |
            grep -c -m 1 'endbr[36]')" 1 ;;
    esac
    if readelf -nW tiny | grep -q IBT && ! gf --version | grep -q '^CUDA: [0-9]'; then
        is "$program: indirect branches are checked" "$(readelf -nW "$folder/$program" | grep -o 'IBT, SHSTK')" \
            'IBT, SHSTK'
    else
        skip "$program: indirect branches: the C library or CUDA is built without"
    fi
done
is '--version shows it' "$(gf --version | sed -n 's/^hardening: //p')" "$(echo $flags $linking)"
finish
