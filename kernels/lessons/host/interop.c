/* The lesson on OpenGL. */
#include "kernels/lessons/mix.h"
#include "kernels/lessons/steps.h"

const struct gf_lesson gf_lesson_interop = {
    .name = "interop",
    .summary = "a kernel's image as a texture of OpenGL: through the host, copied on the GPU, written in place; or as "
        "vertices",
    .fill = GF_LESSON_BYTES, .src_bytes = sizeof(uint32_t), .dst_bytes = sizeof(uint32_t), .most = 16 << 20,
    .cpu = { { "plain C", gf_lesson_mix_once } },
    .steps = {
        { "through the host", gf_lesson_interop_host,
          "the kernel's result is downloaded, and glTexSubImage2D() uploads it again: each pixel crosses the bus "
          "twice, and CPU cores copy it within OpenGL, only to return to the same GPU. In all steps, the host "
          "sleeps while it waits for CUDA, as in gpufilter, so that the core can work for others; waking up takes "
          "some tens of microseconds",
          GF_LESSON_OWN_CLOCK, .to_host = true },
        { "copied to the texture", gf_lesson_interop_copy,
          "the texture is registered with CUDA once. While it is mapped it belongs to CUDA, and a copy within the "
          "GPU's memory fills it. Its pixels lie in tiles, so a copy has to reorder them",
          GF_LESSON_OWN_CLOCK, .to_host = true },
        { "written by the kernel", gf_lesson_interop_surface,
          "the kernel writes the texture itself, as a surface. The hardware finds the place of a pixel in its tile, "
          "and nothing is copied", GF_LESSON_OWN_CLOCK, .to_host = true },
        { "drawn as points", gf_lesson_interop_vertices,
          "the kernel writes a buffer of vertices: for each pixel a point with its place and its color. OpenGL draws "
          "the points on a picture, which must then equal the image. A point takes 12 bytes instead of 4, and the "
          "time includes the drawing, which that of the other steps does not", GF_LESSON_OWN_CLOCK,
          .to_host = true } },
    .promises = {
        { 1, 0, GF_LESSON_UP_TO, 30, "the GPU's memory is so much faster than the bus; CUDA Programming Guide",
          "mapping and unmapping wait for OpenGL, which takes longer than the copy" },
        { 2, 1, GF_LESSON_UP_TO, 2, "the result is not written and read a second time",
          "mapping and unmapping take most of the time, and as a surface a little longer" } },
    .host = true, .more_copies = 6, .open = gf_lesson_interop_open, .bind = gf_lesson_interop_bind,
    .close = gf_lesson_interop_close, .tell = gf_lesson_interop_tell,
};
