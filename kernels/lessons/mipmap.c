/* The lesson on mipmaps. */
#include "kernels/lessons/mipmap.h"
#include "kernels/lessons/steps.h"

/* Returns the mean of `side` x `side` samples. Sums of multiples of 1/256 are exact. */
static float mean(const float *src, int width, int side)
{
    float sum = 0;

    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            sum += src[(int64_t)y * width + x];
    return sum / (float)(side * side);
}

/* Computes a share of the result: the means of `side` x `side` samples in the middle of each square. */
static void shrink_by(const struct gf_lesson_io *io, int64_t first, int64_t end, int side)
{
    const struct gf_lesson_sizes s = gf_lesson_sizes_of(io->count, io->value);
    const int64_t results = (int64_t)s.small_width * s.small_rows;
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t i = results * first / io->count; i < results * end / io->count; i++) {
        const int64_t x = i % s.small_width * s.shrink, y = i / s.small_width * s.shrink;
        const int64_t margin = (s.shrink - side) / 2;

        dst[i] = mean(src + (y + margin) * s.width + x + margin, s.width, side);
    }
}

static void all_samples(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    shrink_by(io, first, end, io->value);
}

static void four_samples(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    shrink_by(io, first, end, 2);
}

/* The bytes of the source and of the result. */
static double work(int64_t count, int shrink)
{
    return (double)count * sizeof(float) * (1 + 1.0 / (shrink * shrink));
}

/* Says after how many fetches it pays to build the levels. */
static int tell(struct gf_lesson_io *io, struct gf_error *err)
{
    const struct gf_lesson_report *report = io->report;
    const int last = report->sizes - 1;
    const double all = report->seconds(report->context, 1, last), built = report->seconds(report->context, 2, last);
    const double ready = report->seconds(report->context, 3, last);

    (void)err;
    if (all > ready)
        gf_lesson_say(report, "levels take a third more memory. At the largest shrink, it takes %.0f us to build "
                              "them, and each result takes %.0f us instead of %.0f; so building them pays from result "
                              "%.0f on",
                      (built - ready) * 1e6, ready * 1e6, all * 1e6, ceil((built - ready) / (all - ready)));
    return 0;
}

const struct gf_lesson gf_lesson_mipmap = {
    .name = "mipmap",
    .summary = "shrink an image of floats: one fetch, all samples, or a mipmap",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float),
    .tolerance = 1e-5,
    .axis = "shrink", .values = { 2, 4, 8, 16 }, .value_count = 4, .samples = INT64_C(64) << 20, .work = work,
    .cpu = { { "plain C", all_samples } },
    .steps = {
        { "one fetch", gf_lesson_mipmap_one,
          "the texture unit weighs the four samples in the middle of each square of the source, and no others. This "
          "is wrong: fine patterns become coarse ones (aliasing). It is not as fast as it seems either, since memory "
          "delivers 32 bytes at a time",
          .wanted = four_samples },
        { "all samples by hand", gf_lesson_mipmap_all,
          "each thread adds its square of samples. At any time, the 32 threads of a warp read floats that are "
          "`shrink` apart. The cache keeps what is between them, unless `shrink` is large" },
        { "mipmap, built each time", gf_lesson_mipmap_built,
          "kernels halve the image until it has the right size; each level is stored. Every sample is read once, but "
          "there are more launches, and levels are written and read again. Not in the time: the image has been copied "
          "to the first level, an array, before the clock starts. The row 'copy' moves as many bytes" },
        { "mipmap, ready", gf_lesson_mipmap_ready,
          "if the levels exist already, one fetch from the right one (tex2DLod) is the mean of a square. So it pays "
          "if an image is sampled many times, as in graphics" } },
    .promises = {
        { 3, 1, GF_LESSON_UP_TO, 256, "Williams 1983: the mean of 16x16 samples is one fetch",
          "the result has to be written, and a launch takes some microseconds" },
        { 0, 1, GF_LESSON_UP_TO, 64, "4 of 256 samples are read",
          "memory delivers 32 bytes at a time, so at least an eighth of the image is read" },
        { 2, 1, GF_LESSON_TIMES, 1, "both read each sample", "levels are written and read again, in three launches",
          .at = 3 } },
    .open = gf_lesson_mipmap_open, .bind = gf_lesson_mipmap_bind, .close = gf_lesson_mipmap_close, .tell = tell,
    .more_copies = 4.0 / 3,              /* 1 + 1/4 + 1/16 and so on */
};
