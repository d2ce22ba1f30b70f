/* Reads Y4M (YUV4MPEG2): pictures one after another, each a plane of luma and two of chroma, as samples. */
#define _GNU_SOURCE
#include "io/formats/y4m.h"

#include "io/interlaced_fields.h"
#include "io/limits.h"

#include <stdlib.h>
#include <string.h>

#define LINE 2048                        /* a header is shorter than this */

struct y4m {
    int64_t samples;             /* of an image: a frame, or a field of it */
    size_t sample_bytes;
    int64_t data;                /* where the picture at hand begins */
    int64_t at;                  /* the next sample read in order */
    int64_t pictures;
    unsigned char *frame;        /* with --interlaced fields: both fields */
    bool second;                 /* the image at hand is the one that comes second */
};

static int fail_short(const struct gf_reader *r, struct gf_error *err)
{
    const struct y4m *y = r->state;

    return gf_fail_cut(err, "%s: ends within picture %lld", r->name, (long long)y->pictures);
}

/* The rest of a line, without its end: 1, 0 where the input ends before it, -1. */
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
    return gf_fail(err, GF_FAILED, "%s: a header line has no end", r->name);
}

/* Prepares for what --interlaced asks of a video with this header. */
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
        return gf_fail(err, GF_FAILED, "%s: mixes interlaced and progressive frames, which --interlaced fields cannot tell apart; "
                       "--interlaced off takes all as progressive", r->name);
    if (letter != 't' && letter != 'b') {
        gf_warn(r->notices, "fields-ignored", r->name, "--interlaced fields has no effect, the header does not say It or Ib");
        return 0;
    }
    if (problem != NULL)
        return gf_fail(err, GF_FAILED, "%s: --interlaced fields: %s, and there are %lld", r->name, problem, (long long)f->units);
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
        return gf_fail(err, GF_FAILED, "%s: %s", r->name, got == 0 ? "ends in its header" : "is not a Y4M");
    if (gf_y4m_header(&r->format, line + sizeof GF_Y4M_MAGIC - 1, r, err) != 0
        || gf_limits_check_size(r->name, r->format.width, r->format.units, (int64_t)gf_type_bytes(r->format.type) * r->format.channels,
                                r->options, err) != 0
        || choose_fields(r, err) != 0)
        return -1;
    stored = gf_stored_format(&r->format);
    y->samples = stored.units;
    y->sample_bytes = gf_unit_bytes(&stored);
    return 0;
}

/* The line before each picture: 1, 0 at the end, -1. */
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
            gf_warn(r->notices, "y4m-frame", r->name, "parameters of single frames are not kept, as '%.40s' of frame %lld",
                    line + 4 + strspn(line + 4, " "), (long long)y->pictures + 1);
        return 1;
    }
    if (got == 0)
        return gf_fail(err, GF_FAILED, "%s: ends after picture %lld, in the line before the next", r->name, (long long)y->pictures);
    return gf_fail(err, GF_FAILED, "%s: what follows picture %lld is not another", r->name, (long long)y->pictures);
}

/* Reads a frame of two fields: 1, 0 at the end, -1. */
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

/* Goes to the next field, the one that is shown first before the other one of its frame. */
static int next_field(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;

    y->at = 0;
    r->random = r->passing = true;
    y->second = y->pictures > 0 && !y->second;
    return y->second ? 1 : read_both_fields(r, err);
}

static int y4m_next(struct gf_reader *r, struct gf_error *err)
{
    struct y4m *y = r->state;
    const int64_t left = y->pictures == 0 ? 0 : y->samples - (r->random ? 0 : y->at);
    const bool first = y->samples == 0;
    int got;

    if (first && read_header(r, err) != 0)
        return -1;
    if (y->frame != NULL)
        return next_field(r, err);
    if (gf_source_skip(r->source, left * (int64_t)y->sample_bytes, err) < 0)
        return -1;
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
        gf_interlaced_fields_split(&r->format, y->second == (r->format.yuv.interlace == 't'), y->frame, start, units, count);
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
    .signature = { GF_Y4M_MAGIC " ", GF_Y4M_MAGIC "\n" }, .open = y4m_open, .fields = true, .image = &gf_write_y4m,
    .sequence = true, .usual = GF_USUAL_VIDEO,
    .notes = { "Y4M", "8 to 16 bits, all layouts",
               "mixed fields; unknown parameters; shape of pixels in still images", "a cut frame" },
};
