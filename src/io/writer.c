/* The table of writers: --to first, then the output's name, then what the signal is. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/format.h"
#include "io/format_list.h"
#include "io/formats/raw.h"
#include "io/formats/term.h"
#include "base/words.h"
#include "base/path.h"
#include "table/table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct opened {
    struct gf_writer writer;
    char *path;                  /* NULL: standard output */
    char *shown;                 /* the name, where it means a terminal */
    char redirected[PATH_MAX];   /* the file that standard output is, where the system tells */
};

/* The words that --to and the ends of names are told by; the first word of a writer is its own. */
static const struct {
    const char *word;
    const struct gf_writer_ops *ops;
} writers[] = {
    { "pbm", &gf_write_pbm }, { "pgm", &gf_write_pgm }, { "ppm", &gf_write_ppm }, { "pnm", &gf_write_pnm },
    { "pam", &gf_write_pam }, { "pfm", &gf_write_pfm }, { "png", &gf_write_png }, { "jpeg", &gf_write_jpeg },
    { "jpg", &gf_write_jpeg }, { "jpe", &gf_write_jpeg }, { "bmp", &gf_write_bmp }, { "tga", &gf_write_tga },
    { "hdr", &gf_write_hdr }, { "qoi", &gf_write_qoi },
#ifdef HAVE_TIFF
    { "tiff", &gf_write_tiff }, { "tif", &gf_write_tiff },
#endif
#ifdef HAVE_WEBP
    { "webp", &gf_write_webp },
#endif
    { "y4m", &gf_write_y4m }, { "wav", &gf_write_wav }, { "wave", &gf_write_wav }, { "rf64", &gf_write_rf64 }, { "flac", &gf_write_flac },
    { "ogg", &gf_write_ogg }, { "oga", &gf_write_ogg }, { "opus", &gf_write_opus }, { "aiff", &gf_write_aiff },
    { "aif", &gf_write_aiff }, { "au", &gf_write_au }, { "snd", &gf_write_au }, { "caf", &gf_write_caf },
    { "w64", &gf_write_w64 }, { "mp3", &gf_write_mp3 }, { "raw", &gf_write_raw }, { "tsv", &gf_write_tsv }, { "csv", &gf_write_csv },
    { "json", &gf_write_json }, { "svg", &gf_write_svg }, { "term", &gf_write_term },
};

#define WRITERS (sizeof writers / sizeof writers[0])

/* Words that mean a drawing where a table comes. */
static const struct {
    const char *word;
    const struct gf_writer_ops *ops;
} drawings[] = {
    { "png", &gf_draw_png },
};

/* Endings that mean a format which is not written: a file of another one under such a name misleads. */
static const char *const foreign[] = {
    "gif", "psd", "pic", "tif", "tiff", "webp", "avif", "heic", "jxl", "jp2", "exr", "ico", "eps", "pdf",
    "m4a", "m4b", "mka", "aac", "ac3", "wma", "ape", "wv", "amr", "doc", "docx", "odt", "xls", "xlsx", "ods",
};

/* What ffmpeg makes of frames. */
static const char *const films[] = { "gif", "apng", "mp4", "m4v", "mov", "webm", "mkv", "avi" };

const char *const *gf_writer_names(void)
{
    static const char *names[WRITERS + 1];

    if (names[1] == NULL) {
        for (size_t i = WRITERS; i-- > 0;)
            names[i] = writers[i].word;
    }
    return names;
}

static const struct gf_writer_ops *by_word(const char *word, bool table)
{
    if (gf_term_is_meant(word))                  /* with a way behind it, too */
        return table ? &gf_draw_term : &gf_write_term;
    if (gf_raw_is_meant(word))                   /* with a type behind it, too */
        return &gf_write_raw;
    for (size_t i = 0; table && i < sizeof drawings / sizeof drawings[0]; i++) {
        if (strcasecmp(drawings[i].word, word) == 0)
            return drawings[i].ops;
    }
    for (size_t i = 0; i < WRITERS; i++) {
        if (strcasecmp(writers[i].word, word) == 0)
            return writers[i].ops;
    }
    return NULL;
}

static bool is_among(const char *ending, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(list[i], ending) == 0)
            return true;
    }
    return false;
}

static bool is_foreign(const char *ending)
{
    return is_among(ending, foreign, sizeof foreign / sizeof foreign[0]);
}

static bool is_film(const char *ending)
{
    return is_among(ending, films, sizeof films / sizeof films[0]);
}

static const struct gf_writer_ops *by_signal(const struct gf_format *f, bool table, bool drawing)
{
    if (table)
        return drawing ? &gf_draw_png : &gf_write_tsv;
    if (f->kind == GF_AUDIO)
        return &gf_write_wav;
    if (f->yuv.used)
        return &gf_write_y4m;                        /* frames as they came in */
    return &gf_write_pnm;                /* PGM, PPM or PAM, picture by picture */
}

/* What that is called. */
static const char *called(const struct gf_writer_ops *ops)
{
    return ops == &gf_draw_png ? "PNG" : ops == &gf_write_tsv ? "TSV" : ops == &gf_write_wav ? "WAV" : ops == &gf_write_y4m ? "Y4M"
         : "PGM, PPM or PAM";
}

/* Whether a name is that of a file, or will be: not of a device or a pipe. */
static bool is_file(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* Standard output where it is a file whose name tells of another format than the one that is written: as far as the system tells. */
static void look_behind(struct opened *o, bool table)
{
    static const char *const pnm[] = { "pbm", "pgm", "ppm", "pnm", "pam" };
    struct gf_writer *w = &o->writer;
    const char *ending;
    const ssize_t length = readlink("/proc/self/fd/1", o->redirected, sizeof o->redirected - 1);
    const struct gf_writer_ops *ops;
    struct stat st;

    if (length <= 0 || fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    o->redirected[length] = '\0';
    ending = gf_path_extension(o->redirected);
    ops = by_word(ending, table);
    if (ops == NULL || ops == w->ops || (w->ops == &gf_write_pnm && is_among(ending, pnm, sizeof pnm / sizeof pnm[0])))
        return;
    w->redirected = o->redirected;
    w->guessed = called(w->ops);
}

static const char *try_instead(const struct gf_format *f, bool table)
{
    return table ? ".tsv, .csv, .json, .svg or .png" : f->kind == GF_IMAGE ? ".png, .jpg or .pam" : ".wav, .flac or .ogg";
}

/* A table, a picture and a recording each have their own formats. Raw samples are of either kind. */
static int check_kind(struct gf_writer *w, const struct gf_format *f, bool table, struct gf_error *err)
{
    if (w->ops == &gf_write_raw && f->kind == GF_IMAGE)
        w->ops = &gf_write_raw_picture;
    bool holds_table = w->ops->table != NULL;
    const char *holds = holds_table ? "a table" : w->ops->kind == GF_IMAGE ? "a picture" : "a recording";
    const char *comes = table ? "a table" : f->kind == GF_IMAGE ? "a picture" : "a recording";

    if (holds_table == table && (table || w->ops->kind == f->kind))
        return 0;
    return gf_fail(err, GF_MISUSED, "%s: %s holds %s, and the chain ends in %s; try %s", w->name, w->ops->name, holds,
                   comes, try_instead(f, table));
}

bool gf_writer_takes(const char *path, enum gf_kind kind, bool table)
{
    const struct gf_writer_ops *ops = by_word(gf_path_extension(path), false);      /* a picture's ending asks for no drawing */

    return ops != NULL && (ops->table != NULL) == table && (table || ops->kind == kind || ops == &gf_write_raw);
}

static int choose(struct opened *o, const char *path, const struct gf_format *f, bool table, struct gf_error *err)
{
    struct gf_writer *w = &o->writer;
    const char *ending = path == NULL ? "" : gf_path_extension(path);
    struct gf_term term;
    char nearest[300];

    if (w->options.to != NULL) {
        w->ops = by_word(w->options.to, table);
        if (w->ops != NULL && gf_term_is_meant(w->options.to) && gf_term_look(&term, w->options.to, w->on_terminal, err) != 0)
            return -1;
        if (w->ops != NULL)
            return check_kind(w, f, table, err);
        if (gf_raw_type_is_meant(w->options.to))
            return gf_fail(err, GF_MISUSED, "--to %s: write -t raw:type=%.*s", w->options.to, (int)strcspn(w->options.to, ":"), w->options.to);
        gf_nearest_words(w->options.to, gf_writer_names(), nearest, sizeof nearest);
        return gf_fail(err, GF_MISUSED, "--to %s: is not a format that gpufilter writes; near it: %s", w->options.to,
                       nearest);
    }
    w->ops = by_word(ending, table);
    if (w->ops == NULL && is_film(ending) && f->kind == GF_IMAGE && !table)
        return gf_fail(err, GF_MISUSED, "%s: gpufilter does not write .%s; gpufilter ... -t y4m | ffmpeg -i - %s does, or try %s", w->name,
                       ending, w->name, try_instead(f, table));
    if (w->ops == NULL && (is_foreign(ending) || is_film(ending)))
        return gf_fail(err, GF_MISUSED, "%s: gpufilter does not write .%s; try %s", w->name, ending,
                       try_instead(f, table));
    if (w->ops == NULL && gf_nearest_word(ending, gf_writer_names()) != NULL)
        return gf_fail(err, GF_MISUSED, "%s: no format has the ending .%s; did you mean .%s? --to names a format whatever the ending", w->name,
                       ending, gf_nearest_word(ending, gf_writer_names()));
    if (w->ops == NULL) {
        w->ops = by_signal(f, table, w->options.drawing);
        w->guessed = *ending != '\0' && is_file(path) && !(table && strcasecmp(ending, "txt") == 0) ? called(w->ops) : NULL;
        if (path == NULL)
            look_behind(o, table);
    }
    return check_kind(w, f, table, err);
}

/* Where it goes: to a file, or to standard output, which may be a terminal. */
static int choose_path(struct opened *o, const char *path, struct gf_error *err)
{
    struct gf_writer *w = &o->writer;
    char **copy = gf_term_is_meant(path) ? &o->shown : &o->path;

    w->name = "standard output";
    if (path != NULL && strcmp(path, "-") != 0) {
        *copy = strdup(path);
        if (*copy == NULL)
            return gf_fail(err, GF_FAILED, "out of memory");
    }
    w->standard = o->path == NULL;
    if (o->path != NULL)
        w->name = o->path;
    else
        w->on_terminal = isatty(STDOUT_FILENO);
    if (o->shown != NULL && w->options.to != NULL)
        return gf_fail(err, GF_MISUSED, "-o %s shows the result, and --to %s makes a file of it; leave out one of them", path, w->options.to);
    if (o->shown != NULL)
        w->options.to = o->shown;
    return 0;
}

struct gf_writer *gf_writer_open(const char *path, const struct gf_write_options *options, const struct gf_format *f,
                                 bool table, struct gf_error *err)
{
    struct opened *o = calloc(1, sizeof *o);

    if (o == NULL) {
        gf_fail(err, GF_FAILED, "out of memory");
        return NULL;
    }
    o->writer.options = *options;
    if (choose_path(o, path, err) == 0 && choose(o, o->path, f, table, err) == 0 && gf_out_check(o->path, options->keep, err) == 0)
        return &o->writer;
    gf_writer_close(&o->writer);
    return NULL;
}

static int open_output(struct gf_writer *w, struct gf_error *err)
{
    const struct opened *o = (const struct opened *)(const void *)w;
    const struct gf_write_options *options = &w->options;
    const struct gf_out_rules rules = { .keep = options->keep, .root = options->root, .ledger = options->ledger,
                                        .input = options->input, .notices = options->notices, .in_order = w->ops->table != NULL };

    return w->out != NULL ? 0 : gf_out_open(&w->out, o->path, &rules, err);
}

int gf_writer_fit(struct gf_writer *w, struct gf_format *f, struct gf_error *err)
{
    if (w->ops != &gf_write_y4m)
        f->yuv = (struct gf_yuv) { 0 };              /* pixels, however they came in */
    if (f->kind == GF_AUDIO && w->options.depth > 0 && w->options.depth < 8)
        return gf_fail(err, GF_MISUSED, "%s: --depth %d is for pictures; sound has 8 bits or more", w->name, w->options.depth);
    return w->ops->fit(w, f, err);
}

double gf_writer_gathers(const struct gf_writer *w, const struct gf_format *fitted)
{
    return w->ops->gathers != NULL ? w->ops->gathers(w, fitted) : 0;
}

int gf_writer_begin(struct gf_writer *w, const struct gf_format *fitted, struct gf_error *err)
{
    w->format = *fitted;
    w->random = false;
    if (w->meta != NULL)
        w->layout = w->meta->layout;
    if (w->options.strip)
        w->meta = NULL;
    return open_output(w, err) != 0 ? -1 : w->ops->begin(w, err);
}

int gf_writer_write(struct gf_writer *w, const void *units, int64_t count, struct gf_error *err)
{
    return count <= 0 ? 0 : w->ops->write(w, units, count, err);
}

int gf_writer_write_at(struct gf_writer *w, int64_t start, const void *units, int64_t count, struct gf_error *err)
{
    return count <= 0 ? 0 : w->ops->write_at(w, start, units, count, err);
}

int gf_writer_end(struct gf_writer *w, struct gf_error *err)
{
    return w->ops->end(w, err);
}

bool gf_writer_part(const struct gf_writer *w, struct gf_part *p)
{
    if (!w->random || w->ops->part_bytes == 0 || w->ops->part_bytes > sizeof p->state)
        return false;
    p->writer = *w;
    memcpy(p->state, w->state, w->ops->part_bytes);
    p->writer.state = p->state;
    return true;
}

int gf_writer_table(struct gf_writer *w, const struct gf_table *t, struct gf_error *err)
{
    return open_output(w, err) != 0 ? -1 : w->ops->table(w, t, err);
}

int gf_writer_tables(struct gf_writer *w, const struct gf_tables *tables, struct gf_error *err)
{
    return open_output(w, err) != 0 ? -1 : w->ops->tables(w, tables, err);
}

int gf_writer_commit(struct gf_writer *w, struct gf_error *err)
{
    struct gf_output *out = w->out;

    w->out = NULL;
    return out == NULL ? 0 : gf_out_commit(out, err);
}

void gf_writer_close(struct gf_writer *w)
{
    struct opened *o = (struct opened *)(void *)w;

    if (w == NULL)
        return;
    if (w->ops != NULL && w->ops->release != NULL)
        w->ops->release(w);
    if (w->format.kind == GF_AUDIO)
        gf_out_withdraw(w->out);
    gf_out_close(w->out);
    free(o->path);
    free(o->shown);
    free(o);
}
