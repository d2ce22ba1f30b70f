# GF_CUDA: finds nvcc and a host compiler that it accepts, and chooses the architectures to build
# for. Sets NVCC, NVCC_ARCH_FLAGS, NVCC_HOST_FLAGS, CUDA_LIBS, CUDA_DEVRT, the conditional HAVE_CUDA and, in
# CUDA_CPPFLAGS, GF_HAVE_CUDA. The runtime is linked statically, so that the program starts on
# machines without a driver.
AC_DEFUN([GF_CUDA], [
AC_ARG_WITH([cuda],
  [AS_HELP_STRING([--with-cuda=auto|no|DIR],
    [run on NVIDIA GPUs: where nvcc is found (default), not at all, or with the toolkit in DIR])],
  [], [with_cuda=auto])
AC_ARG_WITH([cuda-arch],
  [AS_HELP_STRING([--with-cuda-arch=LIST],
    [build for these architectures, as in 80,90 (default: all common ones that nvcc knows)])],
  [], [with_cuda_arch=auto])
AC_ARG_VAR([NVCC], [the CUDA compiler])
AC_ARG_VAR([NVCC_CCBIN], [host compiler for nvcc])
AC_ARG_VAR([NVCCFLAGS], [flags for nvcc, default -O3])
: ${NVCCFLAGS=-O3}

gf_cuda=no gf_cuda_why="not asked for"
AS_IF([test "$with_cuda" != no], [
  AS_CASE([$NVCC:$with_cuda],
    [?*:*], [],
    [:auto|:yes], [AC_PATH_PROG([NVCC], [nvcc], [],
      [$PATH$PATH_SEPARATOR${CUDA_HOME:-/usr/local/cuda}/bin$PATH_SEPARATOR/usr/local/cuda/bin])],
    [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])])
  AS_IF([test -z "$NVCC"], [gf_cuda_why="nvcc not found"], [GF_CUDA_TRY])
  AS_IF([test "$gf_cuda" = no], [
    AS_IF([test "$with_cuda" = auto],
      [AC_MSG_WARN([building without CUDA: $gf_cuda_why])],
      [AC_MSG_ERROR([--with-cuda=$with_cuda: $gf_cuda_why])])])
])

gf_cuda_summary="no ($gf_cuda_why)"
gf_cuda_archs_summary=none
AS_IF([test "$gf_cuda" = yes], [
  gf_cuda_summary="$gf_cuda_version, $NVCC${NVCC_HOST_FLAGS:+ }$NVCC_HOST_FLAGS"
  gf_cuda_archs_summary="$gf_cuda_archs, PTX of $gf_cuda_newest"
  CUDA_CPPFLAGS=-DGF_HAVE_CUDA])
AC_DEFINE_UNQUOTED([GF_CUDA_ARCHS], ["$gf_cuda_archs_summary"], [GPU architectures in the program.])
AC_SUBST([NVCC_ARCH_FLAGS])
AC_SUBST([NVCC_HOST_FLAGS])
AC_SUBST([CUDA_LIBS])
AC_SUBST([CUDA_CXX_LIBS])
AC_SUBST([CUDA_DEVRT])
AC_SUBST([CUDA_CPPFLAGS])
AM_CONDITIONAL([HAVE_CUDA], [test "$gf_cuda" = yes])
])

# Tests the architectures and then a small program with nvcc and the linker; sets gf_cuda=yes.
AC_DEFUN([GF_CUDA_TRY], [
gf_cuda_version=`$NVCC --version 2>/dev/null | sed -n 's/.*release \(@<:@0-9.@:>@*\).*/\1/p'`
gf_cuda_known=`$NVCC --list-gpu-arch 2>/dev/null | sed -n 's/^compute_//p' | tr '\n' ' '`
AC_MSG_CHECKING([GPU architectures])
gf_cuda_archs= gf_cuda_newest=
dnl GPUs of 8.7 and 8.9 run the code for 8.6.
AS_IF([test "$with_cuda_arch" = auto], [gf_wanted="75 80 86 90 100 120"],
  [gf_wanted=`echo "$with_cuda_arch" | sed 's/sm_//g' | tr ', ' '  '`])
for gf_arch in $gf_wanted; do
  AS_CASE([" $gf_cuda_known "], [*" $gf_arch "*],
    [gf_cuda_archs="$gf_cuda_archs${gf_cuda_archs:+ }$gf_arch"
     gf_cuda_newest=$gf_arch],
    [AS_IF([test "$with_cuda_arch" != auto],
      [AC_MSG_ERROR([--with-cuda-arch: $NVCC does not know $gf_arch; it knows $gf_cuda_known])])])
done
AC_MSG_RESULT([${gf_cuda_archs:-none}])
NVCC_ARCH_FLAGS=
for gf_arch in $gf_cuda_archs; do
  NVCC_ARCH_FLAGS="$NVCC_ARCH_FLAGS -gencode arch=compute_$gf_arch,code=sm_$gf_arch"
done
NVCC_ARCH_FLAGS="$NVCC_ARCH_FLAGS -gencode arch=compute_$gf_cuda_newest,code=compute_$gf_cuda_newest"
AS_IF([test -z "$gf_cuda_archs"], [gf_cuda_why="$NVCC knows none of the architectures"], [GF_CUDA_TRY_HOSTS])
])

# nvcc accepts only some host compilers: test its own choice first, then the compiler in use, then
# others.
AC_DEFUN([GF_CUDA_TRY_HOSTS], [
gf_cuda_home=`echo "$NVCC" | sed 's/.* //'`
gf_cuda_home=`command -v "$gf_cuda_home"`
gf_cuda_home=`dirname "$gf_cuda_home"`/..
gf_cuda_why="nvcc does not work with any host compiler (see config.log)"
cat >conftest.cu <<'EOF'
#include <math.h>
__global__ void twice(float *v) { v@<:@threadIdx.x@:>@ *= 2; }
extern "C" int conftest(void) { twice<<<1, 32>>>(0); return cudaGetLastError(); }
EOF
cat >conftest_main.c <<'EOF'
int conftest(void);
int main(void) { return conftest() < 0; }
EOF
for gf_host in "$NVCC_CCBIN" "" g++ "$CC" g++-14 g++-13 g++-12 g++-11 clang++; do
  test -n "$NVCC_CCBIN" && test "$gf_host" != "$NVCC_CCBIN" && continue
  NVCC_HOST_FLAGS=${gf_host:+"-ccbin $gf_host"}
  AC_MSG_CHECKING([whether nvcc works with ${gf_host:-its own choice of host compiler}])
  AS_IF([$NVCC -std=c++17 $NVCC_HOST_FLAGS $NVCC_ARCH_FLAGS -c conftest.cu -o conftest_cu.o >&AS_MESSAGE_LOG_FD 2>&1],
    [AC_MSG_RESULT([yes]); gf_cuda=compiles; break], [AC_MSG_RESULT([no])])
done
AS_IF([test "$gf_cuda" = compiles], [
  dnl Well-compressed kernels are a fifth as large. The code of a file is unpacked only when it is
  dnl first used.
  AC_MSG_CHECKING([whether nvcc compresses kernels well])
  AS_IF([$NVCC -std=c++17 $NVCC_HOST_FLAGS $NVCC_ARCH_FLAGS --compress-mode=size -c conftest.cu -o conftest_cu.o \
      >&AS_MESSAGE_LOG_FD 2>&1],
    [AC_MSG_RESULT([yes]); NVCC_ARCH_FLAGS="$NVCC_ARCH_FLAGS --compress-mode=size"], [AC_MSG_RESULT([no])])
  gf_cuda=no
  gf_cuda_why="the static CUDA runtime does not link (see config.log)"
  AC_MSG_CHECKING([how to link the static CUDA runtime])
  for gf_dir in "$gf_cuda_home/lib64" "$gf_cuda_home/targets/`uname -m`-linux/lib" "$gf_cuda_home/lib" \
                "/usr/lib/`uname -m`-linux-gnu"; do
    test -f "$gf_dir/libcudart_static.a" || continue
    gf_dir=`cd "$gf_dir" && pwd`
    dnl The C++ library is linked dynamically, because libtiff loads it anyway.
    for gf_more in "" -lstdc++ "-static-libgcc -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic"; do
      CUDA_LIBS="$gf_dir/libcudart_static.a $gf_more -ldl -lrt -lpthread"
      AS_IF([$CC $CFLAGS $LDFLAGS -o conftest_cu conftest_main.c conftest_cu.o $CUDA_LIBS -lm >&AS_MESSAGE_LOG_FD 2>&1],
        [gf_cuda=yes
         AS_IF([test -f "$gf_dir/libcudadevrt.a"], [CUDA_DEVRT=$gf_dir/libcudadevrt.a])
         break 2])
    done
  done
  AS_IF([test "$gf_cuda" = yes], [AC_MSG_RESULT([$CUDA_LIBS])], [AC_MSG_RESULT([no way found]); CUDA_LIBS=])])
AS_IF([test "$gf_cuda" = yes], [GF_CUDA_TRY_CXX])
rm -f conftest.cu conftest_main.c conftest_cu.o conftest_cu
])

# Finds what gpufilter-bench needs besides: Thrust, which a lesson calls, throws exceptions.
AC_DEFUN([GF_CUDA_TRY_CXX], [
cat >conftest.cu <<'EOF'
#include <stdexcept>
extern "C" int conftest(void) { try { throw std::runtime_error("none"); } catch (const std::exception &e) { return 0; } }
EOF
CUDA_CXX_LIBS=-lstdc++
AC_MSG_CHECKING([how to link the C++ library])
AS_IF([$NVCC -std=c++17 $NVCC_HOST_FLAGS $NVCC_ARCH_FLAGS -c conftest.cu -o conftest_cu.o >&AS_MESSAGE_LOG_FD 2>&1],
  [for gf_more in "" -lstdc++ "-static-libgcc -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic"; do
    AS_IF([$CC $CFLAGS $LDFLAGS -o conftest_cu conftest_main.c conftest_cu.o $gf_more $CUDA_LIBS -lm \
        >&AS_MESSAGE_LOG_FD 2>&1], [CUDA_CXX_LIBS=$gf_more; break])
  done])
AC_MSG_RESULT([${CUDA_CXX_LIBS:-with CUDA}])
])
