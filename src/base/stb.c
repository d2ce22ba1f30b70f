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

#include "base/stb.h"
