/*
 * The bodies of stb_image and stb_image_write, in a file
 * of their own because they cause compiler warnings.
 */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wcast-align"
#endif

#include <config.h>

/* Formats with a reader of their own are left out here. */
#if defined(HAVE_ZLIB) || defined(HAVE_ISAL)
#define STBI_NO_PNG
#endif
#ifdef HAVE_JPEG
#define STBI_NO_JPEG
#endif

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_NO_GIF
#define STBI_NO_PNM
#define STBI_NO_BMP
#define STBI_NO_TGA
#define STBI_NO_PSD

/*
 * The HDR writer of stb_image_write does not check its only allocation, so the caller reserves that
 * memory.
 */
#include <stdlib.h>
static _Thread_local void *reserved;
static _Thread_local size_t reserved_bytes;

static void *take(size_t bytes)
{
    void *const memory = bytes <= reserved_bytes ? reserved : malloc(bytes);

    if (memory == reserved) {
        reserved = NULL;
        reserved_bytes = 0;
    }
    return memory;
}
#define STBIW_MALLOC(bytes) take(bytes)
#define STBIW_REALLOC(old, bytes) realloc(old, bytes)
#define STBIW_FREE(memory) free(memory)

#include "base/stb.h"

int gf_stb_reserve(size_t bytes)
{
    free(reserved);
    reserved = malloc(bytes);
    reserved_bytes = reserved != NULL ? bytes : 0;
    return reserved != NULL ? 0 : -1;
}
