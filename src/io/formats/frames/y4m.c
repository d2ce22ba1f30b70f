/* Reads Y4M (YUV4MPEG2): frames with a plane of luma and two of chroma, as samples. */
#define _GNU_SOURCE
#include "io/formats/frames/y4m.h"

#include "io/interlaced_fields.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

#define LINE 2048                        /* most bytes of a header line */

struct y4m {
    int64_t samples;             /* samples of an image: a frame, or one of its fields */
    size_t sample_bytes;
    int64_t data;                /* offset of the current frame */
    int64_t at;                  /* next sample to be read in order */
    int64_t pictures;
    unsigned char *frame;        /* both fields, with --interlaced fields */
    bool second;                 /* the current image is the second field of its frame */
};

static int fail_short(const struct gf_reader *r, struct gf_error *err)
{
    const struct y4m *y = r->state;

    return gf_fail_cut(err, "%s: ends within frame %lld", r->name, (long long)y->pictures);
}

/* Reads the rest of a line without its newline. Returns 1, 0 if the input ends before, or -1. */
static int rest_of_line(struct gf_reader *r, char *line, struct gf_error *err)
{
    for (int n = 0; n < LINE; n++) {
        const int c = gf_source_byte(r->source, err);

        if (c < 0)
            return c == -1 ? 0 : -1;
        line[n] = (char)c;
        if (c == '\n') {
            line[n] = '\0';
            return 1;
        }
    }
    return gf_fail(err, GF_FAILED, "%s: a header line is longer than 2048 bytes", r->name);
}

/* Applies --interlaced to the format of the video. */
static int choose_fields(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    struct gf_format *f = &r->format;
    const char letter = (char)f->yuv.interlace, *problem = gf_interlaced_fields_problem(f);

    if (r->options->interlaced == GF_INTERLACED_OFF && (letter == 't' || letter == 'b' || letter == 'm'))
        f->yuv.interlace = 'p';
    if (r->options->interlaced != GF_INTERLACED_FIELDS)
        return 0;
    if (letter == 'm')
        return gf_fail(err, GF_FAILED, "%s: mixes interlaced and progressive frames, which --interlaced fields cannot "
                       "separate;; --interlaced off treats all as progressive", r->name);
    if (letter != 't' && letter != 'b') {
        gf_warn(r->notices, "fields-ignored", r->name, "--interlaced fields has no effect, because the header does not "
                "say It or Ib");
        return 0;
    }
    if (problem != NULL)
        return gf_fail(err, GF_FAILED, "%s: --interlaced fields: %s, but there are %lld", r->name, problem,
                       (long long)f->units);
    y->frame = malloc((size_t)gf_stored_format(f).units * gf_type_bytes(f->type));
    if (y->frame == NULL)
        return gf_fail_memory(err, r->name);
    f->yuv.fields = 1;
    f->units /= 2;
    return 0;
}

static int read_header(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    char line[LINE];
    const int got = rest_of_line(r, line, err);
    struct gf_format stored;

    if (got < 0)
        return -1;
    if (got == 0 || strncmp(line, GF_Y4M_MAGIC, sizeof GF_Y4M_MAGIC - 1) != 0)
        return gf_fail(err, GF_FAILED, "%s: %s", r->name, got == 0 ? "ends in its header" : "is not a Y4M file");
    free(y->frame);
    y->frame = NULL;
    y->second = true;                            /* no field of a frame is left */
    if (gf_y4m_header(&r->format, line + sizeof GF_Y4M_MAGIC - 1, r, err) != 0
        || gf_limits_check_size(r->name, r->format.width, r->format.units,
                                (int64_t)gf_type_bytes(r->format.type) * r->format.channels, r->options, err) != 0
        || choose_fields(r, err) != 0)
        return -1;
    stored = gf_stored_format(&r->format);
    y->samples = stored.units;
    y->sample_bytes = gf_unit_bytes(&stored);
    return 0;
}

/* Reads the line before a frame. Returns 1, 0 at the end of the input, or -1. */
static int read_frame_line(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    char line[LINE];
    const int c = gf_source_byte(r->source, err), got = c < 0 ? 0 : rest_of_line(r, line, err);

    if (c < 0)
        return c == -1 ? 0 : -1;
    if (got < 0)
        return -1;
    if (got == 1 && c == 'F' && strncmp(line, "RAME", 4) == 0 && (line[4] == '\0' || line[4] == ' ')) {
        if (line[4 + strspn(line + 4, " ")] != '\0')
            gf_warn(r->notices, "y4m-frame", r->name, "parameters of single frames are not kept, such as '%.40s' "
                    "of frame %lld",
                    line + 4 + strspn(line + 4, " "), (long long)y->pictures + 1);
        return 1;
    }
    if (got == 0)
        return gf_fail(err, GF_FAILED, "%s: ends after frame %lld, in the line before the next frame", r->name,
                       (long long)y->pictures);
    return gf_fail(err, GF_FAILED, "%s: the data after frame %lld is not another frame", r->name,
                   (long long)y->pictures);
}

/* Reads a frame with two fields. Returns 1, 0 at the end of the input, or -1. */
static int read_both_fields(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    const size_t size = 2 * (size_t)y->samples * y->sample_bytes;
    const int got = read_frame_line(r, err);
    int64_t bytes;

    if (got != 1)
        return got;
    y->pictures++;
    bytes = gf_source_read(r->source, y->frame, size, err);
    return bytes < 0 ? -1 : (size_t)bytes < size ? fail_short(r, err) : 1;
}

/* Moves to the next field, in the order in which they are shown. */
static int next_field(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;

    y->at = 0;
    r->random = r->passing = true;
    y->second = y->pictures > 0 && !y->second;
    return y->second ? 1 : read_both_fields(r, err);
}

/* Skips what was not read of the frame, and reads the header of the first video, or of another one that follows. */
static int begin_video(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    const int64_t left = y->pictures == 0 || y->frame != NULL ? 0 : y->samples - (r->random ? 0 : y->at);
    int header = y->samples == 0;

    if (gf_source_skip(r->source, left * (int64_t)y->sample_bytes, err) < 0)
        return -1;
    if (y->pictures > 0 && (y->frame == NULL || y->second))
        header = gf_source_begins(r->source, GF_Y4M_MAGIC " ", sizeof GF_Y4M_MAGIC, err);
    return header == 1 ? read_header(r, err) : header;
}

static int y4m_next(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    int got;

    if (begin_video(r, err) != 0)
        return -1;
    if (y->frame != NULL)
        return next_field(r, err);
    got = read_frame_line(r, err);
    if (got != 1)
        return got;
    y->pictures++;
    y->at = 0;
    y->data = r->source->position;
    r->random = r->source->random;
    if (r->random && (r->source->size - y->data) / (int64_t)y->sample_bytes < y->samples)
        return fail_short(r, err);
    return 1;
}

static int y4m_read_at(struct gf_reader *r, int64_t start, void *units, int64_t count, struct gf_error *err)
{
    struct y4m *y = r->state;
    const size_t size = (size_t)count * y->sample_bytes;
    int64_t got;

    if (y->frame != NULL) {
        gf_interlaced_fields_split(&r->format, y->second == (r->format.yuv.interlace == 't'), y->frame, start,
                                   units, count);
        return 0;
    }
    got = gf_source_read_at(r->source, y->data + start * (int64_t)y->sample_bytes, units, size, err);
    return got < 0 ? -1 : (size_t)got < size ? fail_short(r, err) : 0;
}

static int64_t y4m_read(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    struct y4m *y = r->state;
    size_t size;
    int64_t got;

    if (count > y->samples - y->at)
        count = y->samples - y->at;
    size = (size_t)count * y->sample_bytes;
    if (r->random) {
        if (y4m_read_at(r, y->at, units, count, err) != 0)
            return -1;
    } else {
        got = gf_source_read(r->source, units, size, err);
        if (got < 0 || (size_t)got < size)
            return got < 0 ? -1 : fail_short(r, err);
    }
    y->at += count;
    return count;
}

static void y4m_close(struct gf_reader *r)
{
    struct y4m *y = r->state;

    free(y->frame);
}

static const struct gf_reader_ops y4m_ops = {
    .next = y4m_next, .read = y4m_read, .read_at = y4m_read_at, .close = y4m_close,
    .view_bytes = sizeof(struct y4m),
};

static int y4m_open(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o, struct gf_error *err)
{
    return gf_reader_begin(r, s, o, &y4m_ops, sizeof(struct y4m), err);
}

const struct gf_file_format gf_file_format_y4m = {
    .name = "y4m", .title = "Y4M", .kinds = 1 << GF_IMAGE, .streams = GF_STREAMS_BOTH,
    .signature = { GF_Y4M_MAGIC " ", GF_Y4M_MAGIC "\n" }, .open = y4m_open, .hardened = true, .fields = true,
    .counted = true,
    .image = &gf_write_y4m, .sequence = true, .usual = GF_USUAL_VIDEO,
    .notes = { "Y4M", "8 to 16 bits, all layouts",
               "mixed fields; unknown parameters; pixel aspect ratio in still images", "an incomplete frame" },
};
