/* The declarations of stb_image and stb_image_write, which decode and encode small image formats. */
#ifndef GF_BASE_STB_H
#define GF_BASE_STB_H

#define STBI_NO_STDIO

#if __has_include(<stb/stb_image.h>)
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#else
#include <stb_image.h>
#include <stb_image_write.h>
#endif

/* Reserves memory for the next allocation of stb_image_write in this thread. Returns 0, or -1. */
int gf_stb_reserve(size_t bytes);

#endif
