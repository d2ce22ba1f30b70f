/*
 * Second images: opens their files, reads them in step with the input, and unpacks what stages
 * cannot read directly.
 */
#include "run/sides.h"

#include "base/memory_share.h"
#include "base/path.h"
#include "io/metadata/profile.h"
#include "io/name_pattern.h"
#include "io/watch.h"
#include "run/buffered_reader.h"
#include "run/value_losses.h"

#include <stdlib.h>
#include <string.h>

struct gf_side_file {
    enum gf_kind kind;                   /* of the input */
    char *word, *name;                   /* name as the stage gives it, and with fields filled in */
    struct gf_reader *reader;
    bool given;                          /* the caller has the reader */
    struct gf_side_image *now;
    int64_t signal;                      /* index of the image in the file */
    int32_t rate;                        /* as in struct gf_side */
    int channels;
    bool alone;                          /* the file has only one image */
    struct gf_watch watch;               /* observations on all images that were read */
};

static int64_t picture_bytes(const struct gf_format *f)
{
    return f->units * (int64_t)gf_unit_bytes(f);
}

/* Returns the bytes of another image that may be in memory; the disk has it if second images exceed their share. */
static size_t memory_left(const struct gf_sides *s)
{
    int64_t left = gf_memory_share(GF_MEMORY_SIDES, gf_run_context_host_bytes(s->context, s->limits));

    for (int i = 0; i < s->count; i++)
        left -= s->file[i]->now != NULL && !gf_side_image_on_disk(s->file[i]->now)
            ? picture_bytes(&s->file[i]->now->format) : 0;
    return left > 0 ? (size_t)left : 0;
}

/* ---- reading ---- */

/* Refuses a file that cannot be the second input of the signal. */
static int check_kind(const struct gf_reader *r, enum gf_kind kind, struct gf_error *err)
{
    if (r->format.kind != kind)
        return gf_fail(err, GF_FAILED, kind == GF_AUDIO
                       ? "%s: is an image; the second input of an audio stage must be audio"
                       : "%s: is audio; the second input of an image stage must be an image", r->name);
    if (r->format.units == GF_UNKNOWN)
        return gf_fail(err, GF_FAILED, "%s: its length is unknown, which the second input of a stage needs;; convert "
                                       "it first: gpufilter -i %s -o NEW.wav", r->name, r->name);
    return 0;
}

/* Gives audio the rate and the channels that its stage needs, and a length if that is unknown. */
static int even_file(const struct gf_sides *s, struct gf_side_file *f, struct gf_error *err)
{
    if (f->rate == 0 || s->even == NULL || f->reader->format.kind != GF_AUDIO)
        return 0;
    if (f->reader->format.units == GF_UNKNOWN
        && gf_buffered_reader_fill(f->reader, GF_UNKNOWN, memory_left(s), err) != 0)
        return -1;
    f->reader = s->even(s->context, s->limits, f->reader, f->rate, f->channels, s->input, err);
    return f->reader != NULL ? 0 : -1;
}

/* Reads the image at the file's current position. Its users unpack it if they have to, frames of video in parallel. */
static int read_picture(const struct gf_sides *s, struct gf_side_file *f, struct gf_error *err)
{
    struct gf_reader *r = f->reader;
    const struct gf_format stored = gf_stored_format(&r->format);
    struct gf_side_image *p;

    gf_side_image_release(f->now);
    f->now = NULL;
    if (check_kind(r, f->kind, err) != 0)
        return -1;
    p = gf_side_image_new(r, memory_left(s), err);
    if (p == NULL)
        return -1;
    if (gf_side_image_reserve(p, err) != 0 || gf_side_image_read(p, r, err) != 0) {
        gf_side_image_release(p);
        return -1;
    }
    if (!r->format.yuv.used)             /* video has levels above white, as inputs do */
        gf_watch_look(&f->watch, GF_WATCH_RANGE | GF_WATCH_NUMBERS, &stored, gf_side_image_stored(p), stored.units);
    f->now = p;
    return 0;
}

static void close_file(struct gf_side_file *f)
{
    gf_side_image_release(f->now);
    if (f->reader != NULL && !f->given)
        gf_reader_close(f->reader);
    f->now = NULL;
    f->reader = NULL;
    f->signal = 0;
    f->alone = false;
}

/* ---- audio of the caller, with another rate or other channels ---- */

static int next_lent(struct gf_reader *r, struct gf_error *err)
{
    (void)r, (void)err;
    return 0;
}

static int64_t read_lent(struct gf_reader *r, void *units, int64_t count, struct gf_error *err)
{
    return gf_reader_read(*(struct gf_reader **)r->state, units, count, err);
}

static const struct gf_reader_ops lent_ops = { .next = next_lent, .read = read_lent, .opening = GF_LABOUR_COPY,
                                               .reading = GF_LABOUR_COPY };

/* Evens audio that the caller has. Its reader stays the caller's, and that of the result is one of this file. */
static int even_given(const struct gf_sides *s, struct gf_side_file *f, struct gf_error *err)
{
    const struct gf_format *const own = &f->reader->format;
    struct gf_reader **from, *lent;

    if (f->rate == 0 || s->even == NULL || own->kind != GF_AUDIO
        || (own->rate == f->rate && own->channels == f->channels))
        return 0;
    from = malloc(sizeof *from);
    if (from == NULL)
        return gf_fail_memory(err, f->name);
    *from = f->reader;
    lent = gf_reader_new(f->reader, &lent_ops, from, own, err);
    if (lent == NULL) {
        free(from);
        return -1;
    }
    f->given = false;
    f->reader = lent;
    return even_file(s, f, err);
}

static int open_file(const struct gf_sides *s, struct gf_side_file *f, struct gf_error *err)
{
    struct gf_read_options options = s->read;

    f->reader = s->given != NULL ? s->given->find(s->given->context, f->word) : NULL;
    f->alone = f->given = f->reader != NULL;         /* the caller's samples are read only once */
    if (f->given) {
        f->name = f->name != NULL ? f->name : strdup(f->word);
        if (f->name == NULL)
            return gf_fail_memory(err, NULL);
        return even_given(s, f, err) == 0 ? read_picture(s, f, err) : -1;
    }
    options.from = NULL;                 /* --from concerns the input */
    options.live = false;
    if (options.interlaced == GF_INTERLACED_FIELDS && !s->input_yuv.fields)
        options.interlaced = GF_INTERLACED_BY_HEADER;
    if (f->name == NULL)
        f->name = gf_name_pattern_fill(f->word, s->input, s->base, s->number);
    if (f->name == NULL)
        return gf_fail_memory(err, NULL);
    if (gf_path_is_folder(f->name))
        return gf_fail(err, GF_FAILED, "%s: is a folder; name an image in it, for example %s%s{stem}.png", f->name,
                       f->name, f->name[strlen(f->name) - 1] == '/' ? "" : "/");
    f->reader = gf_reader_open(f->name, &options, err);
    gf_watch_reset(&f->watch);
    return f->reader != NULL && even_file(s, f, err) == 0 ? read_picture(s, f, err) : -1;
}

/* Moves on to the image that belongs to the current image of the input. */
static int advance_file(const struct gf_sides *s, struct gf_side_file *f, struct gf_error *err)
{
    int more;

    while (f->signal < s->signal && !f->alone) {
        more = gf_reader_next(f->reader, err);
        if (more < 0)
            return -1;
        f->alone = more == 0 && f->signal == 0;
        if (more == 0 && !f->alone)
            return gf_fail(err, GF_FAILED, "%s: ends after image %lld, but the input has more images", f->name,
                           (long long)f->signal + 1);
        f->signal += more;
        if (more == 1 && read_picture(s, f, err) != 0)
            return -1;
    }
    return 0;
}

/* ---- the files of a run ---- */

static struct gf_side_file *add_file(struct gf_sides *s, const char *word, struct gf_error *err)
{
    struct gf_side_file *f = calloc(1, sizeof *f);

    if (f != NULL)
        f->word = strdup(word);
    if (f == NULL || f->word == NULL || s->count == GF_CHAIN_SIDES) {
        if (f != NULL)
            free(f->word);
        free(f);
        gf_fail_memory(err, NULL);
        return NULL;
    }
    gf_watch_open(&f->watch);
    s->file[s->count++] = f;
    return f;
}

/* A whole image on a field would appear twice as high. */
static int check_fields(const struct gf_sides *s, const struct gf_side_file *f, struct gf_error *err)
{
    const struct gf_yuv *in = &s->input_yuv, *side = &f->reader->format.yuv;

    if (!in->fields || (side->fields && side->interlace == in->interlace))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: --interlaced fields needs a second input with the same field order, I%c",
                   f->name, in->interlace);
}

int gf_sides_find(struct gf_sides *s, struct gf_side *side, struct gf_side_image **image, struct gf_error *err)
{
    struct gf_side_file *f = NULL;

    for (int i = 0; i < s->count && f == NULL; i++)
        f = strcmp(s->file[i]->word, side->file) == 0 ? s->file[i] : NULL;
    if (f == NULL)
        f = add_file(s, side->file, err);
    if (f == NULL)
        return -1;
    f->kind = side->kind;
    if (f->reader != NULL && (f->rate != side->rate || f->channels != side->channels))
        close_file(f);
    f->rate = side->rate;
    f->channels = side->channels;
    if ((f->reader == NULL && open_file(s, f, err) != 0) || check_fields(s, f, err) != 0
        || advance_file(s, f, err) != 0) {
        close_file(f);                   /* repeated calls report the same error */
        return -1;
    }
    *image = f->now;
    atomic_fetch_add(&f->now->holders, 1);
    side->name = f->name;
    side->format = f->now->format;
    side->on_disk = gf_side_image_on_disk(f->now);
    return 0;
}

void gf_sides_warn(const struct gf_sides *s, const struct gf_binding *binding, const struct gf_outputs *outputs,
                   const struct gf_side *side, const char *input, struct gf_notices *n)
{
    for (int i = 0; i < binding->options.sides; i++)
        for (int k = 0; k < s->count; k++)
            if (strcmp(s->file[k]->word, side[i].file) == 0)
                gf_value_losses_warn_side(&s->file[k]->watch, n, binding,
                                          gf_value_losses_choose_side(binding, outputs, &side[i]), &side[i], input);
}

/*
 * Gray images are usually masks, not colors. For an image read for an earlier input nothing more is
 * known.
 */
const char *gf_sides_other_profile(const struct gf_sides *s, const struct gf_meta *meta)
{
    for (int i = 0; i < s->count; i++) {
        const struct gf_reader *r = s->file[i]->reader;

        if (r != NULL && !s->file[i]->alone && gf_colours(&r->format) == 3 && !gf_profile_same(&r->meta, meta))
            return s->file[i]->name;
    }
    return NULL;
}

void gf_sides_begin(struct gf_sides *s, const struct gf_read_options *read, const char *input, int base, int number)
{
    s->read = *read;
    s->read.channels.count = 0;                              /* --channels concerns inputs */
    s->input = input;
    s->base = base;
    s->number = number;
    s->signal = 0;
    for (int i = 0; i < s->count; i++) {
        struct gf_side_file *f = s->file[i];
        struct gf_error ignored;

        if (f->reader != NULL)
            f->reader->notices = read->notices;              /* notices of the previous input are gone */
        if (f->reader != NULL && f->signal == 0 && !f->alone)
            f->alone = gf_reader_next(f->reader, &ignored) == 0;
        if (f->given)
            continue;
        if (gf_name_pattern_has_fields(f->word)) {
            free(f->name);
            f->name = NULL;
            close_file(f);
        } else if (!f->alone) {
            close_file(f);
        }
    }
}

void gf_sides_close(struct gf_sides *s)
{
    for (int i = 0; i < s->count; i++) {
        close_file(s->file[i]);
        gf_watch_close(&s->file[i]->watch);
        free(s->file[i]->word);
        free(s->file[i]->name);
        free(s->file[i]);
    }
    s->count = 0;
}
