/* Describes this machine and this build: --devices and --version. */
#include <config.h>
#include "cli/about.h"

#include "base/sandbox.h"
#include "base/sanitizer.h"
#include "device/device.h"
#include "device/rates.h"
#include "io/formats/audio/libsndfile.h"
#ifdef HAVE_FLAC
#include "io/formats/audio/libflac.h"
#endif

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#ifdef HAVE_ISAL
#include <isa-l.h>
#endif
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#define GPUS 64                          /* a limit beyond any machine */
#define BYTES_PER_GB (1024.0 * 1024.0 * 1024.0)

int gf_about_gpus(const struct gf_device_list *which, gf_about_more *more, void *context, struct gf_error *err)
{
    const int listed = which != NULL ? which->count : 0;

    for (int i = 0; i < (listed > 0 ? listed : GPUS); i++) {
        const int index = listed > 0 ? which->index[i] : i;
        struct gf_device_facts facts = { 0 };
        char why[512] = "";

        gf_device_cuda.facts(index, &facts, why, sizeof why);
        if (facts.present || index == 0)
            gf_rates_keep_gpu(index, why, &facts);
        if (!facts.present && (i == 0 || listed > 0))
            printf("cuda    not used: %s%s\n", why[0] != '\0' ? why : "no GPU", more != NULL
                   ? "; kernels are not listed" : "");
        if (!facts.present)
            break;
        printf("cuda:%-2d %s%s%d multiprocessors, %.0f GB of memory\n", index, why, why[0] != '\0' ? ", " : "",
               facts.cores, (double)facts.memory_bytes / BYTES_PER_GB);
        if (more != NULL && more(context, index, why, err) != 0)
            return -1;
    }
    return 0;
}

int gf_about_devices(gf_about_more *more, void *context, struct gf_error *err)
{
    struct gf_device_facts facts = { 0 };
    struct utsname host;
    char why[512] = "";

    gf_device_cpu.facts(0, &facts, why, sizeof why);
    printf("cpu     %s, %d core%s%s%s\n", uname(&host) == 0 ? host.machine : "this machine",
           facts.cores, facts.cores == 1 ? "" : "s", why[0] != '\0' ? ", " : "", why);
    return gf_about_gpus(NULL, more, context, err);
}

/* The kernel tells what it offers only by doing it. What is left of this process needs no more. */
static void print_sandbox(void)
{
    const struct gf_sandbox_needs needs = { .helper = true };
    struct gf_sandbox s;
    char text[200];

    gf_sandbox_begin(&s);
    gf_sandbox_enter(&s, &needs, text, sizeof text);
    printf("sandbox: %s\n", text);
}

void gf_about_version(const char *program)
{
    struct gf_error none;

    printf("%s %s\n", program, PACKAGE_VERSION);
#ifdef GF_HAVE_CUDA
    printf("CUDA: built in for architectures %s\n", GF_CUDA_ARCHS);
#else
    puts("CUDA: not built in");
#endif
    printf("images: stb_image, stb_image_write");
#ifdef HAVE_ISAL
    printf(", ISA-L %d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);
#endif
#ifdef HAVE_ZLIB
    printf(", zlib %s", zlibVersion());
#endif
#ifdef HAVE_JPEG
    printf(", libjpeg-turbo");
#endif
#ifdef HAVE_TIFF
    printf(", libtiff");
#endif
#ifdef HAVE_WEBP
    printf(", libwebp");
#endif
#ifdef HAVE_WEBPDEMUX
    printf(", libwebpdemux");
#endif
#ifdef HAVE_LCMS
    printf(", lcms2");
#endif
    putchar('\n');
    printf("sound: %s", gf_libsndfile_open(&none) == 0 ? sf_version_string() : "libsndfile, which is missing");
#ifdef HAVE_FLAC
    if (gf_libflac_open(&none) == 0)
        printf(", libFLAC %s", FLAC__VERSION_STRING);
#endif
    putchar('\n');
    puts("hardening: " GF_HARDENED_WITH);
    print_sandbox();
#ifdef GF_SANITIZER
    puts("sanitizer: " GF_SANITIZER);
#endif
}
