/* match: give an image the histogram of another one. */
#include "chain/stage.h"
#include "kernels/statistics/histogram.h"

struct match {
    struct gf_mask counts;
};

/* State for settle(), which runs after the image is counted. */
struct settle_context {
    const struct gf_mask *other;
    int64_t table;
    int bins, channels;
};

static const struct gf_option options[] = {
    { .name = "file", .type = GF_OPTION_MASK, .offset = offsetof(struct match, counts), .required = true,
      .counts = true,
      .text = "image whose tones and colors the result gets; it may have another size" },
    { .name = NULL }
};

/*
 * Fills the table of one channel. A value becomes that with the same share of values up to it in the other image,
 * between values that occur there along a line.
 */
static void fill_table(float *table, const uint64_t *sums, int bins, const double *other)
{
    double all = 0, below = 0, before = 0;
    int next = 0, last = -1;

    for (int k = 0; k < GF_COUNTED_BINS; k++)
        all += other[k];
    for (int i = 0; i < bins; i++) {
        const double share = sums[bins - 1] > 0 ? (double)sums[i] / (double)sums[bins - 1] : 0;
        double to;

        while (next < GF_COUNTED_BINS && (other[next] == 0 || (below + other[next]) / all < share)) {
            if (other[next] > 0) {
                below += other[next];
                before = below / all;
                last = next;
            }
            next++;
        }
        if (next == GF_COUNTED_BINS)
            to = last;
        else if (last < 0)
            to = next;
        else
            to = last + (share - before) / ((below + other[next]) / all - before) * (next - last);
        table[i] = (float)(to / (GF_COUNTED_BINS - 1));
    }
}

static int settle(const void *config, const struct gf_measured *m, float *tables, struct gf_error *err)
{
    const struct settle_context *b = config;

    (void)err;
    for (int c = 0; c < b->channels; c++) {
        const int row = b->other->rows == 1 ? 0 : b->channels == 1 ? 3 : c;

        fill_table(tables + b->table + (int64_t)c * b->bins, m->sums + (int64_t)c * b->bins, b->bins,
                   b->other->weights + (int64_t)row * GF_COUNTED_BINS);
    }
    return 0;
}

static int bind(const void *config, const struct gf_format *in, struct gf_build *build, struct gf_error *err)
{
    const int colours = gf_colours(in), bins = in->type == GF_U8 ? 256 : 65536;
    const struct gf_histogram op = { .binning = GF_BIN_ROUND, .bins = bins, .channels = colours };
    struct gf_point_step step = { .kind = GF_POINT_TABLE, .channels = colours, .bins = bins };
    struct settle_context *b = gf_build_alloc(build, sizeof *b);
    float *entries;

    if (b == NULL)
        return gf_fail_memory(err, "match");
    if (colours != 1 && colours != 3)
        return gf_fail(err, GF_FAILED, "match: the image has %d color channels; must be gray or RGB", colours);
    *b = (struct settle_context) { .other = &((const struct match *)config)->counts, .bins = bins,
                                   .channels = colours };
    b->table = step.table = gf_build_alloc_table(build, (int64_t)colours * bins, &entries);
    if (gf_build_measure(build, &gf_op_histogram, &op, NULL, settle, NULL, b, err) != 0)
        return -1;
    gf_build_mark_binned(build);
    return gf_build_point(build, &step, NULL, err);
}

static const char *const examples[] = {
    "gpufilter -i photo.ppm match:cutout.pam -o like.png",
    "gpufilter -i chart.pgm match:photo.ppm -o like.png",
    NULL
};

const struct gf_stage gf_stage_match = {
    .name = "match",
    .kind = GF_IMAGE,
    .group = GF_GROUP_COLOR,
    .range = GF_RANGE_SET,
    .summary = "give an image the tones and colors of another one",
    .text = "The values of both images are counted, each channel separately. A value becomes the one up to which the "
            "other image has the same share of pixels, as in match_histograms of scikit-image. So photos of a series "
            "get the same light, and the same distribution of colors.\n\n"
            "The input has 256 bins for images of 8 bits or fewer, otherwise 65536, and the other image has 65536. A "
            "gray FILE serves all channels of a color image, and of a color FILE its brightness .299 r + .587 g + "
            ".114 b serves a gray image. Values outside 0 to 1 count as 0 or 1. FILE is read before the input; its "
            "first image counts, all of it, whatever its transparency. Alpha is copied.\n\n"
            "The whole image is read before the first row is written.",
    .examples = examples,
    .picture = "scene.ppm match:page.ppm",
    .options = options,
    .config_bytes = sizeof(struct match),
    .bind = bind,
};
