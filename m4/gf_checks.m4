# Small checks: flags that the compiler takes, libraries with and without pkg-config.

# GF_C_FLAGS(VARIABLE, FLAGS): collects those of FLAGS that the compiler takes without a murmur.
AC_DEFUN([GF_C_FLAGS], [
for gf_flag in $2; do
  AC_MSG_CHECKING([whether $CC takes $gf_flag])
  gf_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $gf_flag"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
    [AC_MSG_RESULT([yes]); $1="${$1}${$1:+ }$gf_flag"], [AC_MSG_RESULT([no])])
  CFLAGS=$gf_saved_CFLAGS
done
])

# GF_LIBRARY(VARIABLE, NAME, -lLIBRARY, HEADER, FUNCTION, IF-FOUND, IF-MISSING): sets VARIABLE_CFLAGS
# and VARIABLE_LIBS from pkg-config, else from -lLIBRARY, and tries them.
AC_DEFUN([GF_LIBRARY], [
AC_ARG_VAR([$1_CFLAGS], [compiler flags for $2])
AC_ARG_VAR([$1_LIBS], [linker flags for $2])
gf_$1_version=
AS_IF([test -n "$PKG_CONFIG" && $PKG_CONFIG --exists $2], [
  gf_$1_version=`$PKG_CONFIG --modversion $2`
  test -n "${$1_CFLAGS}" || $1_CFLAGS=`$PKG_CONFIG --cflags $2`
  test -n "${$1_LIBS}" || $1_LIBS=`$PKG_CONFIG --libs $2`
], [test -n "${$1_LIBS}" || $1_LIBS=$3])
AC_MSG_CHECKING([for $2])
gf_saved_CFLAGS=$CFLAGS gf_saved_LIBS=$LIBS
CFLAGS="$CFLAGS ${$1_CFLAGS}" LIBS="${$1_LIBS} $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <$4>]], [[void *p = (void *)&$5; return p == 0;]])],
  [AC_MSG_RESULT([${$1_LIBS} $gf_$1_version]); $6], [AC_MSG_RESULT([no]); $7])
CFLAGS=$gf_saved_CFLAGS LIBS=$gf_saved_LIBS
])
