/* Finds formats by name or extension, lists them, and has functions that all formats share. */
#define _GNU_SOURCE
#include "io/format.h"

#include "io/name_pattern.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_WORDS 255
#define MAX_TITLES 64

static bool is_named(const struct gf_file_format *f, const char *word)
{
    const size_t length = f->arguments ? strcspn(word, ":") : strlen(word);

    if (strncasecmp(f->name, word, length) == 0 && f->name[length] == '\0')
        return true;
    for (const char *const *e = f->endings; *e != NULL; e++)
        if (strcasecmp(*e, word) == 0)
            return true;
    return false;
}

const struct gf_file_format *gf_file_format_find(const char *word)
{
    for (int i = 0; i < gf_file_format_count; i++)
        if (is_named(gf_file_formats[i], word))
            return gf_file_formats[i];
    return NULL;
}

const char *gf_file_format_next(const char *list, char name[GF_FORMAT_NAME_BYTES])
{
    const int length = (int)strcspn(list, ",");

    snprintf(name, GF_FORMAT_NAME_BYTES, "%.*s", length < GF_FORMAT_NAME_BYTES ? length : GF_FORMAT_NAME_BYTES - 1,
             list);
    return list[length] == ',' ? list + length + 1 : NULL;
}

bool gf_file_format_list_has(const char *list, const char *name)
{
    const struct gf_file_format *wanted = gf_file_format_find(name);
    char word[GF_FORMAT_NAME_BYTES];

    while (list != NULL) {
        list = gf_file_format_next(list, word);
        if (wanted != NULL && gf_file_format_find(word) == wanted)
            return true;
    }
    return false;
}

const struct gf_writer_ops *gf_file_format_writer(const struct gf_file_format *f, enum gf_kind kind, bool table)
{
    return table ? f->table : kind == GF_IMAGE ? f->image : f->audio;
}

bool gf_file_format_is_written(const struct gf_file_format *f)
{
    return f->image != NULL || f->audio != NULL || f->table != NULL;
}

const struct gf_file_format *gf_file_format_usual(unsigned usual)
{
    int i = 0;

    while (i < gf_file_format_count && (gf_file_formats[i]->usual & usual) == 0)
        i++;
    assert(i < gf_file_format_count && "a format has this bit of enum gf_usual");
    return gf_file_formats[i];
}

void gf_file_format_titles(bool (*fits)(const struct gf_file_format *f, unsigned bits), unsigned bits, char *text,
                           size_t bytes)
{
    const char *titles[MAX_TITLES];
    int count = 0;

    for (int i = 0; i < gf_file_format_count && count < MAX_TITLES; i++)
        if (strchr(gf_file_formats[i]->title, ',') == NULL && fits(gf_file_formats[i], bits))
            titles[count++] = gf_file_formats[i]->title;
    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i == count - 1 ? " and " : ", ";

        snprintf(text + strlen(text), bytes - strlen(text), "%s%s", before, titles[i]);
    }
}

static const char *read_words[MAX_WORDS + 1], *written_words[MAX_WORDS + 1];

static void add_words(const struct gf_file_format *f, const char **words)
{
    int count = 0;

    while (words[count] != NULL)
        count++;
    for (int i = -1; count < MAX_WORDS && (i < 0 || f->endings[i] != NULL); i++)
        words[count++] = i < 0 ? f->name : f->endings[i];
}

static void collect_words(void)
{
    for (int i = 0; i < gf_file_format_count; i++) {
        if (gf_file_formats[i]->open != NULL)
            add_words(gf_file_formats[i], read_words);
        if (gf_file_format_is_written(gf_file_formats[i]))
            add_words(gf_file_formats[i], written_words);
    }
}

static pthread_once_t collected = PTHREAD_ONCE_INIT;

const char *const *gf_reader_names(void)
{
    pthread_once(&collected, collect_words);
    return read_words;
}

const char *const *gf_writer_names(void)
{
    pthread_once(&collected, collect_words);
    return written_words;
}

int gf_reader_begin(struct gf_reader *r, struct gf_source *s, const struct gf_read_options *o,
                    const struct gf_reader_ops *ops, size_t state_bytes, struct gf_error *err)
{
    r->source = s;
    r->options = o;
    r->ops = ops;
    r->state = calloc(1, state_bytes);
    return r->state != NULL ? 0 : gf_fail_memory(err, r->name);
}

void gf_reader_keep_rest(struct gf_reader *r, const unsigned char *bytes, int64_t size)
{
    r->rest.count = size < (int64_t)sizeof r->rest.first ? (size_t)size : sizeof r->rest.first;
    memcpy(r->rest.first, bytes, r->rest.count);
}

void gf_writer_free_state(struct gf_writer *w)
{
    free(w->state);
}

int gf_fail_second_image(const struct gf_writer *w, struct gf_error *err)
{
    const char *number = gf_name_pattern_has_percent(w->name) ? "{n:3}" : "{n}";

    return w->ops->animation
        ? gf_fail(err, GF_FAILED, "%s: %s stores only one image or an animation, whose images have durations;; use "
                  "-r 10 for an animation of 10 per second, .pam for several images, %s in the output name for one "
                  "file per image, or --images 1 for the first", w->name, w->ops->name, number)
        : gf_fail(err, GF_FAILED, "%s: %s stores only one image;; use .pam for several, %s in the output name for one "
                  "file per image, or --images 1 for the first", w->name, w->ops->name, number);
}

int gf_fail_second_recording(const struct gf_writer *w, struct gf_error *err)
{
    return gf_fail(err, GF_FAILED, "%s: %s stores only one recording", w->name, w->ops->name);
}
