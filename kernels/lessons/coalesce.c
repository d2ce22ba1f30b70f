/* The lesson on strides: which bytes the threads of a warp read together. */
#include "kernels/base/border.h"
#include "kernels/lessons/steps.h"

/*
 * The source is an array of structs of `stride` floats, the last of which may be incomplete. The
 * result has all first members, then all second ones, and so on.
 */
static void move_members(const struct gf_lesson_io *io, int64_t first, int64_t end, int offset)
{
    const int stride = io->value;
    const int64_t structs = gf_ceil_div(io->count, stride);
    const float *src = io->src;
    float *dst = io->dst;
    int64_t k = first / stride;
    int member = (int)(first % stride);

    for (int64_t at = first; at < end; at++) {
        if (at + offset < io->count)
            dst[member * structs + k] = src[at + offset];
        if (++member == stride) {
            member = 0;
            k++;
        }
    }
}

static void read_members(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    move_members(io, first, end, 0);
}

static void read_shifted(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    move_members(io, first, end, 1);
}

static void write_members(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const int64_t structs = gf_ceil_div(io->count, io->value);
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t at = first; at < end; at++)
        dst[at % structs * io->value + at / structs] = src[at];
}

static void copy(const struct gf_lesson_io *io, int64_t first, int64_t end)
{
    const float *src = io->src;
    float *dst = io->dst;

    for (int64_t at = first; at < end; at++)
        dst[at] = src[at];
}

const struct gf_lesson gf_lesson_coalesce = {
    .name = "coalesce",
    .summary = "read one member of structs of 1 to 32 floats: coalesced and strided access",
    .fill = GF_LESSON_FLOATS, .src_bytes = sizeof(float), .dst_bytes = sizeof(float),
    .dst_more = 32 * sizeof(float),      /* members of an incomplete struct */
    .axis = "stride", .values = { 1, 2, 4, 8, 16, 32 }, .value_count = 6, .samples = INT64_C(32) << 20,
    .cpu = { { "plain C", read_members } },
    .steps = {
        { "array of structs", gf_lesson_coalesce_structs,
          "a load is one instruction for the 32 threads of a warp. Neighbors read the same member of neighboring "
          "structs, so their addresses are 'stride' floats apart. Memory delivers whole sectors of 32 bytes; members "
          "that nobody asked for are thrown away" },
        { "one float further", gf_lesson_coalesce_shifted,
          "each thread reads the float after its own. At stride 1, a warp's 128 bytes then lie in five sectors "
          "instead of four, but the next warp needs the fifth one, too, and finds it in a "
          "cache", .wanted = read_shifted },
        { "writes to an array of structs", gf_lesson_coalesce_writes,
          "the other direction: contiguous reads, and writes that are 'stride' floats apart. A part of a sector is "
          "written, and the cache has to collect or merge the parts", .wanted = write_members },
        { "structs through shared memory", gf_lesson_coalesce_staged,
          "a block copies 256 whole structs to its shared memory, in the order of their addresses, and writes all "
          "their members, one member after another: as many floats as the other steps, of fewer structs. Every byte "
          "of a sector is used; without structs (stride 1) the detour only costs time" },
        { "struct of arrays", gf_lesson_coalesce_arrays,
          "each member has an array of its own, so neighboring threads read neighboring floats at any number of "
          "members: a warp's 32 floats are four full sectors", .wanted = copy } },
    .promises = {
        { 4, 0, GF_LESSON_UP_TO, 32, "one transaction of 128 bytes for a warp instead of 32",
          "the unit is a sector of 32 bytes, or two of them, instead of 128 bytes, and the writes are contiguous in "
          "both" },
        { 4, 0, GF_LESSON_UP_TO, 8, "one of the eight floats of a sector is used",
          "only the reads take more, and a thread with one load of 4 bytes has too little on its way, see the lesson "
          "loads", .at = 4 },
        { 3, 4, GF_LESSON_TIMES, 1, "both use every byte of each sector, but a thread that moves several floats also "
                                    "has several loads on their way, see the lesson loads", NULL },
        { 1, 0, GF_LESSON_TIMES, 1, "caches serve the sectors that two warps share, since 2010", NULL, .at = 1 } },
    .tell = gf_lesson_coalesce_tell,
};
