/* Times the calls of readers and writers. */
#include "report/timed_io.h"

#include "base/clock.h"
#include "io/output.h"
#include "table/table.h"

static int64_t stored_unit_bytes(const struct gf_format *f)
{
    const struct gf_format stored = gf_stored_format(f);

    return (int64_t)gf_unit_bytes(&stored);
}

static double now(const struct gf_timed_io *timed)
{
    return timed->report ? gf_clock_seconds() : 0;
}

static void record(const struct gf_timed_io *timed, enum gf_activity activity, double start, double end, int64_t bytes)
{
    const struct gf_interval i = { .activity = activity, .lane = timed->lane, .step = -1, .pass = timed->pass,
                                   .start = start, .end = end, .bytes = bytes };

    if (timed->report != NULL)
        gf_report_record(timed->report, &i);
}

/* ---- reading ---- */

static enum gf_activity activity_of(enum gf_labour labour)
{
    return labour == GF_LABOUR_CODE ? GF_DECODING : labour == GF_LABOUR_COPY ? GF_COPYING : GF_READING;
}

enum gf_activity gf_timed_io_activity(const struct gf_reader *r)
{
    return activity_of(r->ops->reading);
}

/* Reads the whole signal, if opening it decodes it. */
static int64_t decoded_bytes(const struct gf_reader *r)
{
    return r->ops->opening == GF_LABOUR_CODE
           && r->format.units > 0 ? gf_stored_format(&r->format).units * stored_unit_bytes(&r->format) : 0;
}

struct gf_reader *gf_timed_io_open(const struct gf_timed_io *timed, const char *path,
                                   const struct gf_read_options *options,
                                   struct gf_error *err)
{
    const double start = now(timed);
    struct gf_reader *r = gf_reader_open(path, options, err);
    const double end = now(timed), file = r != NULL && timed->report != NULL ? start + r->file_seconds : start;

    if (r == NULL)
        return NULL;
    if (r->file_bytes > 0)
        record(timed, GF_READING, start, file, r->file_bytes);
    record(timed, activity_of(r->ops->opening), file, end, decoded_bytes(r));
    return r;
}

int gf_timed_io_next(const struct gf_timed_io *timed, struct gf_reader *r, struct gf_error *err)
{
    const double start = now(timed);
    const int result = gf_reader_next(r, err);

    record(timed, activity_of(r->ops->opening), start, now(timed), result == 1 ? decoded_bytes(r) : 0);
    return result;
}

int64_t gf_timed_io_read(const struct gf_timed_io *timed, struct gf_reader *r, void *units, int64_t count,
                         struct gf_error *err)
{
    const bool decodes = timed->report != NULL && r->ops->reading == GF_LABOUR_CODE;
    double start = now(timed), seconds_before = 0, seconds = 0;
    int64_t bytes_before = 0, bytes = 0, got;

    if (decodes)
        gf_reader_cost(r, &seconds_before, &bytes_before);
    got = gf_reader_read(r, units, count, err);
    if (decodes && got > 0) {
        gf_reader_cost(r, &seconds, &bytes);
        if (bytes > bytes_before)
            record(timed, GF_READING, start, start + seconds - seconds_before, bytes - bytes_before);
        start += seconds - seconds_before;
    }
    if (got > 0)
        record(timed, activity_of(r->ops->reading), start, now(timed), got * stored_unit_bytes(&r->format));
    return got;
}

int gf_timed_io_use_codec(const struct gf_timed_io *timed, struct gf_reader *r, struct gf_jpeg_codec *codec,
                          struct gf_error *err)
{
    const double start = now(timed);
    const int result = r->ops->use_codec(r, codec, err);

    if (result == 0 && r->random)
        record(timed, GF_DECODING, start, now(timed), r->format.units * stored_unit_bytes(&r->format));
    return result;
}

/* ---- writing ---- */

/* Bytes written before a call, and the time of the call. */
struct write_start {
    double start, seconds;
    int64_t bytes;
};

static struct write_start start_writing(const struct gf_timed_io *timed, const struct gf_writer *w)
{
    struct write_start b = { .start = now(timed) };

    if (timed->report != NULL)
        gf_output_cost(w->out, &b.seconds, &b.bytes);
    return b;
}

/* A call that encodes also writes; the time of writing is reported separately. */
static void record_writing(const struct gf_timed_io *timed, const struct gf_writer *w, enum gf_labour labour,
                           const struct write_start *b, int64_t bytes)
{
    double end, seconds = 0;
    int64_t written = 0;

    if (timed->report == NULL)
        return;
    end = now(timed);
    if (labour == GF_LABOUR_FILE) {
        record(timed, GF_WRITING, b->start, end, bytes);
        return;
    }
    gf_output_cost(w->out, &seconds, &written);
    seconds -= b->seconds;
    written -= b->bytes;
    record(timed, labour == GF_LABOUR_CODE ? GF_ENCODING : GF_COPYING, b->start, end - seconds, bytes);
    if (written > 0)
        record(timed, GF_WRITING, end - seconds, end, written);
}

int gf_timed_io_begin(const struct gf_timed_io *timed, struct gf_writer *w, const struct gf_format *fitted,
                      struct gf_error *err)
{
    const struct write_start b = start_writing(timed, w);
    const int result = gf_writer_begin(w, fitted, err);

    record_writing(timed, w, w->ops->ending, &b, 0);
    return result;
}

int gf_timed_io_write(const struct gf_timed_io *timed, struct gf_writer *w, int64_t start, const void *units,
                      int64_t count,
                      struct gf_error *err)
{
    const struct write_start b = start_writing(timed, w);
    const int result = start < 0 ? gf_writer_write(w, units, count, err)
                       : gf_writer_write_at(w, start, units, count, err);

    record_writing(timed, w, w->ops->writing, &b, count * stored_unit_bytes(&w->format));
    return result;
}

int gf_timed_io_end(const struct gf_timed_io *timed, struct gf_writer *w, struct gf_error *err)
{
    const struct write_start b = start_writing(timed, w);
    const bool whole = w->ops->ending == GF_LABOUR_CODE && w->ops->writing != GF_LABOUR_CODE;
    const int result = gf_writer_end(w, err);

    record_writing(timed, w, w->ops->ending, &b,
                   whole && w->format.units > 0 ? gf_stored_format(&w->format).units
                       * stored_unit_bytes(&w->format) : 0);
    return result;
}

int gf_timed_io_table(const struct gf_timed_io *timed, struct gf_writer *w, const struct gf_table *t,
                      struct gf_error *err)
{
    const struct write_start b = start_writing(timed, w);
    const int result = gf_writer_table(w, t, err);
    double seconds;
    int64_t bytes;

    gf_output_cost(w->out, &seconds, &bytes);
    record(timed, GF_WRITING, b.start, now(timed), bytes - b.bytes);
    return result;
}

int gf_timed_io_commit(const struct gf_timed_io *timed, struct gf_writer *w, struct gf_error *err)
{
    const double start = now(timed);
    const int result = gf_writer_commit(w, err);

    record(timed, GF_WRITING, start, now(timed), 0);
    return result;
}
