# Small checks: flags that the compiler accepts, libraries with and without pkg-config.

# GF_C_FLAGS(VARIABLE, FLAGS): collects those of FLAGS that the compiler accepts without a warning.
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

# GF_LINKER_FLAGS(VARIABLE, FLAGS): the same for the linker.
AC_DEFUN([GF_LINKER_FLAGS], [
for gf_flag in $2; do
  AC_MSG_CHECKING([whether the linker takes $gf_flag])
  gf_saved_LDFLAGS=$LDFLAGS
  LDFLAGS="$LDFLAGS $gf_flag"
  AC_LINK_IFELSE([AC_LANG_PROGRAM()],
    [AC_MSG_RESULT([yes]); $1="${$1}${$1:+ }$gf_flag"], [AC_MSG_RESULT([no])])
  LDFLAGS=$gf_saved_LDFLAGS
done
])

# GF_LIBRARY(VARIABLE, NAME, -lLIBRARY, HEADER, FUNCTION, IF-FOUND, IF-MISSING): sets
# VARIABLE_CFLAGS and VARIABLE_LIBS from pkg-config, or from -lLIBRARY, and tests them.
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
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>
#include <$4>]], [[void *p = (void *)&$5; return p == 0;]])],
  [AC_MSG_RESULT([${$1_LIBS} $gf_$1_version]); $6], [AC_MSG_RESULT([no]); $7])
CFLAGS=$gf_saved_CFLAGS LIBS=$gf_saved_LIBS
])

# GF_CODEC(VARIABLE, SWITCH, NAME, -lLIBRARY, HEADER, FUNCTION, WITHOUT, PACKAGE): a library that is
# used if it is found. Defines HAVE_VARIABLE, also for make, and gf_VARIABLE_summary for the
# summary. WITHOUT says what happens without it.
AC_DEFUN([GF_CODEC], [
AC_ARG_WITH([$2], [AS_HELP_STRING([--without-$2], [$7])], [], [with_$2=auto])
gf_have_$1=no gf_$1_summary="$7"
AS_IF([test "$with_$2" != no], [GF_LIBRARY([$1], [$3], [$4], [$5], [$6],
  [gf_have_$1=yes gf_$1_summary="$3 $gf_$1_version"
   AC_DEFINE([HAVE_$1], [1], [Define to 1 if $3 is linked.])],
  [$1_CFLAGS= $1_LIBS=
   AS_IF([test "$with_$2" != auto], [AC_MSG_ERROR([--with-$2: install $8])])])])
AM_CONDITIONAL([HAVE_$1], [test $gf_have_$1 = yes])
])

# GF_LATE_LIBRARIES: the switch for the libraries of GF_LATE.
AC_DEFUN([GF_LATE_LIBRARIES], [
AC_ARG_ENABLE([late-libraries],
  [AS_HELP_STRING([--disable-late-libraries],
    [link libtiff, libsndfile and others, instead of opening them when a run needs them])],
  [], [enable_late_libraries=yes])
])

# GF_LATE(VARIABLE, LIBRARY, HEADER, FUNCTION): for a library that the program opens when it needs it.
# Defines GF_LATE_VARIABLE as the name of its file, and takes it out of VARIABLE_LIBS. A static
# library stays linked.
AC_DEFUN([GF_LATE], [
AC_REQUIRE([GF_LATE_LIBRARIES])
AC_CHECK_TOOL([READELF], [readelf])
gf_late=
AS_IF([test $gf_have_$1 = yes && test $enable_late_libraries = yes && test -n "$READELF"], [
  AC_MSG_CHECKING([for the file of $2])
  gf_saved_CFLAGS=$CFLAGS gf_saved_LIBS=$LIBS
  CFLAGS="$CFLAGS ${$1_CFLAGS}" LIBS="${$1_LIBS} $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>
#include <$3>]], [[void *volatile p = (void *)&$4; return p == 0;]])],
    [gf_late=`LC_ALL=C $READELF -d conftest$EXEEXT | sed -n 's/.*(NEEDED).*\@<:@\($2\.so@<:@^@:>@@:>@*\)@:>@.*/\1/p'`])
  CFLAGS=$gf_saved_CFLAGS LIBS=$gf_saved_LIBS
  AC_MSG_RESULT([${gf_late:-none, it is linked}])])
AS_IF([test -n "$gf_late"], [
  $1_LIBS=`echo " ${$1_LIBS} " | sed 's/ -l@<:@^ @:>@*//g'`
  AC_DEFINE_UNQUOTED([GF_LATE_$1], ["$gf_late"], [The file of $2, which is opened when it is needed.])])
])
