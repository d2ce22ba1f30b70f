/* Converts between Y4M headers and formats. */
#define _GNU_SOURCE
#include "io/formats/frames/y4m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RANGE_TAG "XCOLORRANGE="

static const char *const sitings[] = { [GF_SITED_PLAIN] = "", [GF_SITED_JPEG] = "jpeg", [GF_SITED_MPEG2] = "mpeg2",
                                       [GF_SITED_PALDV] = "paldv" };

/* First part of a C tag, before the depth. */
static const struct layout {
    const char *word;
    int sub_x, sub_y, mono;
} layouts[] = { { "420", 1, 1, 0 }, { "422", 1, 0, 0 }, { "444", 0, 0, 0 }, { "411", 2, 0, 0 }, { "mono", 0, 0, 1 } };

#define LAYOUTS (sizeof layouts / sizeof layouts[0])

static const struct layout *layout_of(const struct gf_yuv *y)
{
    for (size_t i = 0; i < LAYOUTS; i++)
        if (layouts[i].sub_x == y->sub_x && layouts[i].sub_y == y->sub_y && layouts[i].mono == y->mono)
            return &layouts[i];
    return &layouts[0];
}

/* Parses the depth in a C tag: "" is 8 bits, "p10" is 10 bits, without chroma "10" is. */
static bool parse_depth(const char *word, bool mono, int *bits)
{
    char *end;
    long n;

    *bits = 8;
    if (word[0] == '\0')
        return true;
    if (!mono && *word++ != 'p')
        return false;
    n = strtol(word, &end, 10);
    *bits = (int)n;
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && n >= 8 && n <= 16;
}

static int parse_colour_tag(struct gf_yuv *y, const char *word, const char *name, struct gf_error *err)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        const size_t length = strlen(layouts[i].word);

        if (strncmp(word, layouts[i].word, length) != 0)
            continue;
        y->sub_x = layouts[i].sub_x;
        y->sub_y = layouts[i].sub_y;
        y->mono = layouts[i].mono;
        for (int s = GF_SITED_JPEG; s <= GF_SITED_PALDV && i == 0; s++)
            if (strcmp(word + length, sitings[s]) == 0) {
                y->siting = s;
                return 0;
            }
        y->siting = GF_SITED_PLAIN;
        if (parse_depth(word + length, y->mono != 0, &y->bits))
            return 0;
    }
    return gf_fail(err, GF_FAILED, "%s: color format C%.20s is not supported; must be 420, 422, 444, 411 or mono, with "
                   "8 to 16 bits", name, word);
}

static void warn_dropped(const struct gf_reader *r, const char *word)
{
    gf_warn(r->notices, "y4m-header", r->name, "the parameter '%.40s' of the header is not kept", word);
}

/* Parses a ratio such as F25:1. A zero on either side means unknown. */
static void parse_ratio(const char *word, int *ratio, const struct gf_reader *r)
{
    int a = 0, b = 0, end = 0;

    if (sscanf(word + 1, "%9d:%9d%n", &a, &b, &end) != 2 || word[1 + end] != '\0' || a < 0 || b < 0) {
        warn_dropped(r, word);
    } else if (a > 0 && b > 0) {
        ratio[0] = a;
        ratio[1] = b;
    }
}

static int parse_side(const char *word, const char *name, int64_t *side, struct gf_error *err)
{
    char *end;
    const long long n = strtoll(word + 1, &end, 10);

    if (word[1] < '0' || word[1] > '9' || *end != '\0' || n < 1 || n > INT32_MAX)
        return gf_fail(err, GF_FAILED, "%s: invalid %c in the header: \"%.30s\"", name, word[0], word);
    *side = n;
    return 0;
}

bool gf_y4m_keep_tag(struct gf_yuv *y, const char *tag)
{
    const size_t used = strlen(y->tags), spare = strncasecmp(tag, RANGE_TAG, sizeof RANGE_TAG - 1) == 0 ? 0 : 21;

    if (used + 1 + strlen(tag) + spare >= sizeof y->tags)
        return false;
    snprintf(y->tags + used, sizeof y->tags - used, "%s%s", used > 0 ? " " : "", tag);
    return true;
}

static int parse_tag(struct gf_yuv *y, const char *word, const struct gf_reader *r, struct gf_error *err)
{
    switch (word[0]) {
    case 'F':
        parse_ratio(word, y->rate, r);
        return 0;
    case 'A':
        parse_ratio(word, y->aspect, r);
        return 0;
    case 'I':
        y->interlace = word[1] > ' ' && word[1] < 127 ? word[1] : 0;
        return 0;
    case 'C':
        return parse_colour_tag(y, word + 1, r->name, err);
    case 'X':
        if (strcasecmp(word, RANGE_TAG "FULL") == 0)
            y->full = 1;
        else if (strcasecmp(word, RANGE_TAG "LIMITED") == 0)
            y->full = 0;
        if (!gf_y4m_keep_tag(y, word))
            warn_dropped(r, word);
        return 0;
    default:
        warn_dropped(r, word);
        return 0;
    }
}

int gf_y4m_header(struct gf_format *f, char *words, const struct gf_reader *r, struct gf_error *err)
{
    struct gf_yuv *y = &f->yuv;
    char *rest = NULL;

    *f = (struct gf_format) { .kind = GF_IMAGE, .yuv = { .used = 1, .sub_x = 1, .sub_y = 1, .bits = 8,
                                                         .siting = GF_SITED_JPEG } };
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if ((word[0] == 'W' || word[0] == 'H' ? parse_side(word, r->name, word[0] == 'W' ? &f->width : &f->units, err)
                                              : parse_tag(y, word, r, err)) != 0)
            return -1;
    if (f->width == 0 || f->units == 0)
        return gf_fail(err, GF_FAILED, "%s: the header does not say how %s the frames are", r->name,
                       f->width == 0 ? "wide" : "high");
    y->matrix = f->units < GF_Y4M_HD_ROWS ? 601 : 709;
    f->channels = y->mono ? 1 : 3;
    f->type = y->bits > 8 ? GF_U16 : GF_U8;
    f->bits = y->bits;
    f->maxval = (1u << y->bits) - 1;
    return 0;
}

void gf_y4m_drop_tags(struct gf_yuv *yuv, const char *start)
{
    char old[sizeof yuv->tags], *rest = NULL;

    memcpy(old, yuv->tags, sizeof old);
    memset(yuv->tags, 0, sizeof yuv->tags);
    for (char *word = strtok_r(old, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (strncasecmp(word, start, strlen(start)) != 0)
            gf_y4m_keep_tag(yuv, word);
}

int gf_y4m_header_text(const struct gf_format *f, char *to, size_t size)
{
    const struct gf_yuv *y = &f->yuv;
    char rate[40] = "", aspect[40] = "", interlace[8] = "", depth[16] = "";

    if (y->rate[0] > 0)
        snprintf(rate, sizeof rate, " F%d:%d", y->rate[0], y->rate[1]);
    if (y->aspect[0] > 0)
        snprintf(aspect, sizeof aspect, " A%d:%d", y->aspect[0], y->aspect[1]);
    if (y->interlace != 0)
        snprintf(interlace, sizeof interlace, " I%c", y->interlace);
    if (y->bits > 8)
        snprintf(depth, sizeof depth, "%s%d", y->mono ? "" : "p", y->bits);
    return snprintf(to, size, GF_Y4M_MAGIC " W%lld H%lld%s%s%s C%s%s%s%s%s\n", (long long)f->width,
                    (long long)gf_y4m_rows(f), rate, interlace, aspect, layout_of(y)->word, sitings[y->siting], depth,
                    y->tags[0] != '\0' ? " " : "", y->tags);
}
