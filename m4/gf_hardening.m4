# GF_HARDENING: sets GF_HARDENED_CFLAGS, GF_HARDENED_LDFLAGS and, for host code that nvcc compiles,
# GF_HARDENED_NVCCFLAGS to those flags against memory errors that the compiler and the linker accept. Without
# hardening, the library still needs code that can be loaded at any address.
AC_DEFUN([GF_HARDENING], [
AC_ARG_ENABLE([hardening],
  [AS_HELP_STRING([--disable-hardening],
    [no checks of buffers and of the stack, no read-only relocations; measured cost below 2%])],
  [], [enable_hardening=yes])
GF_HARDENED_CFLAGS= GF_HARDENED_LDFLAGS= GF_HARDENED_NVCCFLAGS=
gf_hardening_summary="none (--disable-hardening)"
AS_IF([test "$enable_hardening" != no], [
  GF_C_FLAGS([GF_HARDENED_CFLAGS], [-fstack-protector-strong -fstack-clash-protection -fvisibility=hidden])
  GF_C_FLAGS([GF_HARDENED_CFLAGS], [-fcf-protection -mbranch-protection=standard])
  GF_LINKER_FLAGS([GF_HARDENED_LDFLAGS], [-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack])
  GF_HARDENING_PIE
  GF_HARDENING_FORTIFY
  for gf_flag in $GF_HARDENED_CFLAGS; do
    GF_HARDENED_NVCCFLAGS="$GF_HARDENED_NVCCFLAGS${GF_HARDENED_NVCCFLAGS:+,}$gf_flag"
  done
  test -z "$GF_HARDENED_NVCCFLAGS" || GF_HARDENED_NVCCFLAGS="--compiler-options $GF_HARDENED_NVCCFLAGS"
  gf_hardening_summary="$GF_HARDENED_CFLAGS $GF_HARDENED_LDFLAGS"
  gf_hardening_summary=`echo $gf_hardening_summary`],
  [GF_C_FLAGS([GF_HARDENED_CFLAGS], [-fPIC])])
AC_DEFINE_UNQUOTED([GF_HARDENED_WITH], ["$gf_hardening_summary"], [flags against memory errors, for --version])
AC_SUBST([GF_HARDENED_CFLAGS])
AC_SUBST([GF_HARDENED_LDFLAGS])
AC_SUBST([GF_HARDENED_NVCCFLAGS])
])

# GF_REPRODUCIBLE: with --enable-reproducible, GF_PREFIX_MAP keeps the names of the source and the build
# folder out of the programs. Debuggers then need the option that names the source folder.
AC_DEFUN([GF_REPRODUCIBLE], [
AC_ARG_ENABLE([reproducible],
  [AS_HELP_STRING([--enable-reproducible],
    [build the same bytes in any folder: no names of folders in debug information])],
  [], [enable_reproducible=no])
GF_PREFIX_MAP=
AS_IF([test "$enable_reproducible" != no], [
  GF_C_FLAGS([GF_PREFIX_MAP], [-ffile-prefix-map=/source=.])
  test -n "$GF_PREFIX_MAP" || AC_MSG_ERROR([--enable-reproducible: $CC has no -ffile-prefix-map])
  GF_PREFIX_MAP='-ffile-prefix-map=$(srcdir)=. -ffile-prefix-map=$(abs_srcdir)=. -ffile-prefix-map=$(abs_builddir)=.'])
AC_SUBST([GF_PREFIX_MAP])
])

# The program is loaded at a random address, unless the user links it statically. The library needs such code, too.
AC_DEFUN([GF_HARDENING_PIE], [
AC_MSG_CHECKING([whether $CC takes -fPIC -pie])
gf_saved_CFLAGS=$CFLAGS gf_saved_LDFLAGS=$LDFLAGS
CFLAGS="$CFLAGS -Werror -fPIC" LDFLAGS="$LDFLAGS -pie"
AS_CASE([" $LDFLAGS $CFLAGS "], [*" -static "* | *" -no-pie "*], [AC_MSG_RESULT([not asked for])],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM()],
    [AC_MSG_RESULT([yes])
     GF_HARDENED_CFLAGS="$GF_HARDENED_CFLAGS -fPIC" GF_HARDENED_LDFLAGS="$GF_HARDENED_LDFLAGS -pie"],
    [AC_MSG_RESULT([no])])])
CFLAGS=$gf_saved_CFLAGS LDFLAGS=$gf_saved_LDFLAGS
])

# Level 3 where the compiler and the C library know it, otherwise 2. It needs optimization, and sanitizers
# have checks of their own. A level in the user's flags counts; one that the compiler predefines does not.
AC_DEFUN([GF_HARDENING_FORTIFY], [
AC_MSG_CHECKING([for a level of _FORTIFY_SOURCE])
gf_fortify=no
AS_CASE([" $CPPFLAGS $CFLAGS "],
  [*_FORTIFY_SOURCE*], [gf_fortify="that of CPPFLAGS or CFLAGS"],
  [*-fsanitize=* | *" -O0 "*], [],
  [gf_saved_CFLAGS=$CFLAGS
   for gf_level in 3 2; do
     gf_flags="-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$gf_level"
     CFLAGS="$gf_saved_CFLAGS -Werror $gf_flags"
     AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>
#include <string.h>]], [[char text[9]; return sprintf(text, "%d", (int)strlen("a"));]])],
       [gf_fortify=$gf_level GF_HARDENED_CFLAGS="$GF_HARDENED_CFLAGS $gf_flags"; break])
   done
   CFLAGS=$gf_saved_CFLAGS])
AC_MSG_RESULT([$gf_fortify])
])
