# The installed library: pkg-config finds it, C and C++ use it, and it exports and calls only what it should.
. "$(dirname "$0")/../lib.sh"
built=$(dirname "$GPUFILTER")
[ -f "$built/Makefile" ] && [ -f "$built/libgpufilter.so.0" ] || skip_all 'there is no build folder here'
no_sanitizer 'other programs do not link its library'
unset MAKEFLAGS MFLAGS MAKELEVEL

root=$scratch/root
works 'the library and the program can be installed' ${MAKE:-make} -s -C "$built" install DESTDIR="$root"
list_installed() { (cd "$root" && find . ! -type d | sed 's/^\.//' | sort); }
list_installed >installed
folder=$(dirname "$root$(grep '/libgpufilter\.so\.0$' installed)")
is 'the name for linkers is a link' "$(readlink "$folder/libgpufilter.so")" libgpufilter.so.0
is 'header and description are installed' "$(grep -cE '/gpufilter\.(h|pc)$' installed)" 2

# ---- what it exports and imports

library=$folder/libgpufilter.so.0
if command -v readelf >readelf.path && command -v nm >nm.path; then
    readelf -d "$library" >dynamic
    is 'the library has its name inside' "$(sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p' dynamic)" libgpufilter.so.0
    is 'the library has no text relocations' "$(grep -c TEXTREL dynamic)" 0
    is 'the library names no folders of its own' "$(grep -cE 'RPATH|RUNPATH' dynamic)" 0
    nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >exported
    sort "$tree/src/library/symbols" >listed
    same exported listed 'the library exports the symbols of the list'
    grep -o 'gpufilter_[a-z_]*(' "$tree/src/library/gpufilter.h" | grep -v '_run_io()' | tr -d '(' | sort -u >declared
    same declared listed 'the header declares the symbols of the list'

    # An object is in the library if the library has one of its functions.
    nm "$library" | awk '$2 == "t" || $2 == "T" { print $3 }' >functions
    if [ -s functions ]; then
        nm -A "$built/libgpufilter.a" 2>nm.errors | awk '
            FILENAME == "functions" { in_library[$1] = 1; next }
            { split($1, part, ":"); object = part[2]; if ($(NF - 1) == "T" && $NF in in_library) has[object] = 1 }
            $(NF - 1) == "U" { calls[object] = calls[object] " " $NF }
            END { for (object in has) if (object ~ /\.o$/) print object calls[object] }' functions - | sort >objects
        (cd "$built/src" && find cli batch -name '*.o' -exec nm -A {} + | awk '$2 == "T"') |
            awk 'FILENAME == "functions" { in_library[$1] = 1; next } $3 in in_library { print }' functions - >program
        nothing 'the library has no function of arguments or batches' cat program
        awk -v names='exit _exit _Exit quick_exit abort __assert_fail atexit raise kill signal sigaction sigprocmask
            pause alarm setitimer fork vfork execv execve execvp execlp posix_spawn posix_spawnp system popen umask
            chdir fchdir setenv putenv unsetenv setlocale setrlimit prctl syscall printf __printf_chk puts putchar
            perror stdin stdout stderr' '
            BEGIN { count = split(names, name, " "); for (i = 1; i <= count; i++) bad[name[i]] = 1 }
            { for (i = 2; i <= NF; i++) if ($i in bad) print $i, $1 }' objects | sort >imports
        # No function of the library gets to these calls; the case below tries some of them.
        cat >known <<'LIST'
__assert_fail format.o
__assert_fail json.o
__assert_fail stb.o
pause atomic_file.o
prctl sandbox.o
setrlimit file_limit.o
sigaction library_text.o
stderr library_text.o
stderr terminal.o
syscall sandbox.o
syscall sandbox_calls.o
umask atomic_file.o
LIST
        nothing 'no other object ends the process or changes its settings' comm -23 imports known
    else
        skip 'the library has no symbols'
    fi
else
    skip 'no nm or readelf here'
fi

# ---- programs that link it

cat >invert.c <<'END_C'
#include <gpufilter.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **stages)
{
    unsigned char in[4] = { 0, 1, 2, 3 }, out[4] = { 0, 0, 0, 0 };
    gpufilter_error error;
    gpufilter_options options;
    gpufilter_request request;
    gpufilter_format format;
    gpufilter_array from, to;
    memset(&options, 0, sizeof options);
    memset(&request, 0, sizeof request);
    memset(&format, 0, sizeof format);
    memset(&from, 0, sizeof from);
    options.size = sizeof options;
    options.device = "cpu";
    request.size = sizeof request;
    request.type = GPUFILTER_SAME;
    request.in = &format;
    format.size = sizeof format;
    format.kind = GPUFILTER_IMAGE;
    format.type = GPUFILTER_U8;
    format.channels = 1;
    format.width = format.units = 2;
    from.size = sizeof from;
    from.data = in;
    to = from;
    to.data = out;
    gpufilter_session *session = gpufilter_open(&options, &error);
    gpufilter_chain *chain = session ? gpufilter_parse(session, count > 1 ? stages[1] : "invert", -1, &error) : NULL;
    gpufilter_job *job = chain ? gpufilter_prepare(session, chain, &request, &error) : NULL;
    const int result = job ? gpufilter_run(job, &from, &to, &error) : -1;
    if (result == 0)
        printf("%s: %d %d %d %d\n", gpufilter_device_of(job), out[0], out[1], out[2], out[3]);
    else
        printf("error %d: %s\n", error.status, error.text);
    gpufilter_job_free(job);
    gpufilter_chain_free(chain);
    gpufilter_close(session);
    return result != 0;
}
END_C
cp invert.c invert.cc
# Functions of the program take the place of the system's, also for calls from the library.
cat >watch.c <<'END_C'
#include <stdio.h>
#include <stdlib.h>
#define WATCH(name) long name(void); long name(void) { fputs("called " #name "\n", stderr); return 0; }
WATCH(umask) WATCH(sigaction) WATCH(setrlimit) WATCH(prctl) WATCH(syscall) WATCH(pause) WATCH(fork) WATCH(signal)
void __assert_fail(const char *text, const char *file, unsigned line, const char *function);
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    fprintf(stderr, "%s:%u: %s: %s\n", file, line, function, text);
    exit(9);
}
END_C
image over.pgm 2 2 1 255 1
gf -q -i over.pgm -o over.png

PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$folder/pkgconfig
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH
LD_LIBRARY_PATH=$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
# strict COMPILER OPTION... : compiles with all warnings as errors, and what pkg-config says.
strict() { "$@" -Wall -Wextra -Werror -pedantic $(pkg-config --cflags --libs gpufilter); }
if ! command -v pkg-config >pkg-config.path; then
    skip 'no pkg-config here'
elif ! command -v "${CC:-cc}" >cc.path; then
    skip 'no C compiler here'
else
    is 'pkg-config knows the version' "$(pkg-config --modversion gpufilter)" \
        "$(gf --version | sed -n 's/^gpufilter //p')"
    works 'a program in C11 compiles with its header alone' strict ${CC:-cc} -std=c11 invert.c -o invert
    is 'a program in C gets its result' "$(./invert)" 'cpu: 255 254 253 252'
    is 'a program in C gets an error' "$(./invert blur:radius=x | sed 's/:.*//')" 'error 2'
    for compiler in c++ g++ clang++; do
        ! command -v $compiler >c++.path || break
    done
    if [ -s c++.path ]; then
        works 'a program in C++ compiles with its header alone' strict $compiler -std=c++11 -x c++ invert.cc -o inverts
        is 'a program in C++ gets its result' "$(./inverts)" 'cpu: 255 254 253 252'
    else
        skip 'no C++ compiler here'
    fi
    if ${CC:-cc} -fno-builtin invert.c watch.c $(pkg-config --cflags --libs gpufilter) -o watched 2>errors; then
        watched='umask|sigaction|setrlimit|prctl|syscall|pause|__assert_fail'
        is 'the watching functions take the place of others' \
            "$(nm -D --defined-only watched | grep -cwE "$watched")" 7
        { ./watched && ./watched 'over:over.png blur:2' && ./watched over:missing.png; } >out 2>called
        is 'the library runs without calls that change the process' \
            "$(cat called; cut -d: -f1 out | tr '\n' ' ')" 'cpu cpu error 1 '
    else
        fail 'a program that watches calls can be compiled'
        note <errors
    fi
fi

# Without DESTDIR, the linker has to know the library.
mkdir hook tools
printf '#!/bin/sh\necho called >>"%s/calls"\nexit $(cat "%s/status")\n' "$scratch" "$scratch" >tools/ldconfig
chmod +x tools/ldconfig
# after_install STATUS VARIABLE...: what make install ends with, where ldconfig has this status.
after_install()
{
    echo "$1" >status
    shift
    : >calls
    PATH=$scratch/tools:$PATH ${MAKE:-make} -s -C "$built" install-data-hook libdir="$scratch/hook" "$@"
}
is 'after make install the linker knows the library' "$(after_install 0; cat calls)" called
is 'if only root can do that, make install says so' "$(after_install 1 | grep -c 'run ldconfig as root$')" 1
mkdir -p "$root$scratch/hook"
is 'with DESTDIR nothing is said or done' "$(after_install 1 DESTDIR="$root"; cat calls)" ''
rm -r "$root$scratch"

works 'the library and the program can be uninstalled' ${MAKE:-make} -s -C "$built" uninstall DESTDIR="$root"
nothing 'after make uninstall no file is left' list_installed
finish
