/* Turns errors of libjpeg into one-line messages, and its warnings about damage into one warning.
 * Built if HAVE_JPEG. */
#include "base/notice.h"
#include "io/formats/jpeg/jpeg_reader.h"

#include <jerror.h>
#include <string.h>

/* More warnings mean an attack rather than damage. */
#define MOST_WARNINGS 1000

_Noreturn void gf_jpeg_leave(struct gf_jpeg_errors *e)
{
    longjmp(e->home, 1);
}

static void fail_and_jump(j_common_ptr c)
{
    struct gf_jpeg_errors *e = (struct gf_jpeg_errors *)(void *)c->err;
    char text[JMSG_LENGTH_MAX];

    c->err->format_message(c, text);
    if (e->cut)
        gf_fail(e->err, GF_FAILED, "%s: is cut short", e->name);
    else if (c->err->msg_code == JERR_BAD_PRECISION)
        gf_fail(e->err, GF_FAILED, "%s: is a JPEG with %d bits per sample; only 8 are supported", e->name,
                c->err->msg_parm.i[0]);
    else if (c->err->msg_code == JERR_OUT_OF_MEMORY)
        gf_fail_memory(e->err, e->name);
    else
        gf_fail(e->err, GF_FAILED, "%s: can't be %s: %s", e->name, e->doing, text);
    gf_jpeg_leave(e);
}

/* Returns true if all bytes that libjpeg has just skipped have the same value, as far as they are still there. */
static bool is_padding(const struct gf_jpeg_in *p, size_t skipped)
{
    const unsigned char *end = p->feed.next_input_byte;
    const size_t used = p->lent - p->feed.bytes_in_buffer, there = skipped < used ? skipped : used;

    return there > 0 && memcmp(end - there, end - there + 1, there - 1) == 0;
}

/*
 * Returns true if bytes before a marker are a sign of damage: they are coded blocks for which no place was left.
 * Two bytes may be many blocks. They are no such sign between the segments of a header, and some encoders
 * append padding to the last block.
 */
static bool is_surplus_damage(const struct gf_jpeg_in *p, int bytes)
{
    const struct jpeg_decompress_struct *d = &p->d;

    if (d->input_scan_number == 0)
        return false;
    return d->input_iMCU_row < d->total_iMCU_rows || !is_padding(p, (size_t)bytes);
}

/* Returns true for warnings that mean wrong samples. Others concern markers that encoders write differently. */
static bool is_damage(j_common_ptr c)
{
    switch (c->err->msg_code) {
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
        return true;
    case JWRN_EXTRANEOUS_DATA:
        return is_surplus_damage(c->client_data, c->err->msg_parm.i[0]);
    default:
        return false;
    }
}

/* The end of a truncated file looks like damage, too, but has a message of its own. */
static void warn_of_damage(j_common_ptr c, const struct gf_jpeg_errors *e)
{
    char text[JMSG_LENGTH_MAX];

    if (!c->is_decompressor || e->notices == NULL || e->unused || e->cut || !is_damage(c))
        return;
    c->err->format_message(c, text);
    gf_warn_loss(e->notices, "jpeg-damaged", e->name, "is damaged, and parts of the image may be wrong: %s", text);
}

/* Receives warnings, at level -1. The image is decoded as far as possible. */
static void count_warning(j_common_ptr c, int level)
{
    struct gf_jpeg_errors *e = (struct gf_jpeg_errors *)(void *)c->err;

    if (level >= 0)
        return;
    if (c->err->msg_code == JWRN_HIT_MARKER)
        e->starved = true;
    warn_of_damage(c, e);
    if (++c->err->num_warnings > MOST_WARNINGS) {
        gf_fail(e->err, GF_FAILED, "%s: can't be %s: it has more than 1000 errors", e->name, e->doing);
        gf_jpeg_leave(e);
    }
}

static void ignore_message(j_common_ptr c)
{
    (void)c;
}

struct jpeg_error_mgr *gf_jpeg_errors_open(struct gf_jpeg_errors *e, const char *name, const char *doing)
{
    jpeg_std_error(&e->manager);
    e->manager.error_exit = fail_and_jump;
    e->manager.emit_message = count_warning;
    e->manager.output_message = ignore_message;
    e->name = name;
    e->doing = doing;
    return &e->manager;
}
