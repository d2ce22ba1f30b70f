# GF_FUZZING: with --enable-fuzzing, compiles everything with sanitizers and the coverage that
# fuzzers measure. Sets GF_FUZZ_LDFLAGS, which links the fuzzer's main(), and the conditional
# HAVE_FUZZER. If LIB_FUZZING_ENGINE is set, as OSS-Fuzz does, it is linked, and CFLAGS have all
# other flags.
AC_DEFUN([GF_FUZZING], [
AC_ARG_VAR([LIB_FUZZING_ENGINE], [library or flags to link with --enable-fuzzing; default -fsanitize=fuzzer])
gf_fuzzing_summary=no
GF_FUZZ_LDFLAGS=$LIB_FUZZING_ENGINE
AS_IF([test "$enable_fuzzing" != no], [
  gf_fuzzing_summary="tests/fuzz/fuzz, linked with $LIB_FUZZING_ENGINE"
  AS_IF([test -z "$LIB_FUZZING_ENGINE"], [
    GF_CFLAGS="$GF_CFLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    GF_LDFLAGS="$GF_LDFLAGS -fsanitize=address,undefined"
    AC_MSG_CHECKING([for libFuzzer in $CC])
    gf_saved_CFLAGS=$CFLAGS
    CFLAGS="$CFLAGS -fsanitize=fuzzer,address,undefined"
    AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <stddef.h>
      int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
      int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return data == NULL && size > 0; }]])],
      [GF_FUZZ_LDFLAGS="-fsanitize=fuzzer,address,undefined"
       GF_CFLAGS="$GF_CFLAGS -fsanitize=fuzzer-no-link"
       gf_fuzzing_summary="tests/fuzz/fuzz, by $CC"
       AC_MSG_RESULT([yes])],
      [gf_fuzzing_summary="only tests/fuzz/replay: $CC has no libFuzzer"
       AC_MSG_RESULT([no])])
    CFLAGS=$gf_saved_CFLAGS])])
AC_SUBST([GF_FUZZ_LDFLAGS])
AM_CONDITIONAL([HAVE_FUZZER], [test -n "$GF_FUZZ_LDFLAGS"])
])
