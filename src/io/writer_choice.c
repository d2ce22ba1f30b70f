/* The table of writers, and which one makes an output: by --to, then by its name, then by what the signal is. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/writer_choice.h"

#include "base/path.h"
#include "base/words.h"
#include "io/format_list.h"
#include "io/formats/raw.h"
#include "io/formats/term.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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
static const char *const unsupported[] = {
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

bool gf_writer_is_terminal(const char *word)
{
    return word != NULL && strncasecmp(word, "term", 4) == 0 && (word[4] == '\0' || word[4] == ':');
}

static const struct gf_writer_ops *by_word(const char *word, bool table)
{
    if (gf_writer_is_terminal(word))                  /* with a way behind it, too */
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

static bool is_unsupported(const char *ending)
{
    return is_among(ending, unsupported, sizeof unsupported / sizeof unsupported[0]);
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
static const char *label_of(const struct gf_writer_ops *ops)
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
static void check_redirected(struct gf_writer *w, bool table, char redirected[PATH_MAX])
{
    static const char *const pnm[] = { "pbm", "pgm", "ppm", "pnm", "pam" };
    const char *ending;
    const ssize_t length = readlink("/proc/self/fd/1", redirected, PATH_MAX - 1);
    const struct gf_writer_ops *ops;
    struct stat st;

    if (length <= 0 || fstat(STDOUT_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
        return;
    redirected[length] = '\0';
    ending = gf_path_extension(redirected);
    ops = by_word(ending, table);
    if (ops == NULL || ops == w->ops || (w->ops == &gf_write_pnm && is_among(ending, pnm, sizeof pnm / sizeof pnm[0])))
        return;
    w->redirected = redirected;
    w->guessed = label_of(w->ops);
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

int gf_writer_choose(struct gf_writer *w, const char *path, const struct gf_format *f, bool table, char redirected[PATH_MAX],
                     struct gf_error *err)
{
    const char *ending = path == NULL ? "" : gf_path_extension(path);
    struct gf_term term;
    char nearest[300];

    if (w->options.to != NULL) {
        w->ops = by_word(w->options.to, table);
        if (w->ops != NULL && gf_writer_is_terminal(w->options.to) && gf_term_look(&term, w->options.to, w->on_terminal, err) != 0)
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
    if (w->ops == NULL && (is_unsupported(ending) || is_film(ending)))
        return gf_fail(err, GF_MISUSED, "%s: gpufilter does not write .%s; try %s", w->name, ending,
                       try_instead(f, table));
    if (w->ops == NULL && gf_nearest_word(ending, gf_writer_names()) != NULL)
        return gf_fail(err, GF_MISUSED, "%s: no format has the ending .%s; did you mean .%s? --to names a format whatever the ending", w->name,
                       ending, gf_nearest_word(ending, gf_writer_names()));
    if (w->ops == NULL) {
        w->ops = by_signal(f, table, w->options.drawing);
        w->guessed = *ending != '\0' && is_file(path) && !(table && strcasecmp(ending, "txt") == 0) ? label_of(w->ops) : NULL;
        if (path == NULL)
            check_redirected(w, table, redirected);
    }
    return check_kind(w, f, table, err);
}
