/* Updates the description that ImageJ stores in a TIFF: lines of "key=value". */
#include "io/metadata/imagej.h"

#include "io/metadata/parts.h"

#include <stdlib.h>
#include <string.h>

/* The subject of a key decides which changes make it false. Other keys stay as they are. */
enum about {
    ABOUT_NOTHING,
    ABOUT_COUNT,                         /* a number of images; channels, slices and frames multiply to it */
    ABOUT_ORDER,                         /* the sequence, if there is one */
    ABOUT_DISPLAY,                       /* sample values, to show them */
    ABOUT_VALUES,                        /* sample values, to measure them */
    ABOUT_POSITION
};

static const struct key {
    const char *name;
    enum about about;
    int place;                           /* of a count: in struct stack; of a position: along x or y */
} keys[] = {
    { "images", ABOUT_COUNT, 3 }, { "channels", ABOUT_COUNT, 0 }, { "slices", ABOUT_COUNT, 1 },
    { "frames", ABOUT_COUNT, 2 }, { "hyperstack", ABOUT_ORDER, 0 }, { "min", ABOUT_DISPLAY, 0 },
    { "max", ABOUT_DISPLAY, 0 }, { "cf", ABOUT_VALUES, 0 }, { "c0", ABOUT_VALUES, 0 }, { "c1", ABOUT_VALUES, 0 },
    { "c2", ABOUT_VALUES, 0 }, { "c3", ABOUT_VALUES, 0 }, { "c4", ABOUT_VALUES, 0 }, { "c5", ABOUT_VALUES, 0 },
    { "vunit", ABOUT_VALUES, 0 }, { "xorigin", ABOUT_POSITION, 0 }, { "yorigin", ABOUT_POSITION, 1 },
};

/* The sequence of images: of the input, then of the output. */
struct stack {
    int64_t size[4];                     /* channels, slices, frames, and their product */
    bool changed;
    double origin[2];
};

bool gf_imagej_is(const char *text)
{
    return strncmp(text, "ImageJ=", 7) == 0;
}

/* Returns the value of a key, up to the end of its line; NULL if the description does not have it. */
static const char *find(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (; text != NULL && *text != '\0'; text = strchr(text, '\n')) {
        text += *text == '\n';
        if (strncmp(text, name, length) == 0 && text[length] == '=')
            return text + length + 1;
    }
    return NULL;
}

bool gf_imagej_is_measured(const char *text)
{
    const char *unit = gf_imagej_is(text) ? find(text, "unit") : NULL;
    const size_t length = unit != NULL ? strcspn(unit, "\r\n") : 0;

    return length > 0 && strspn(unit, " ") < length && strncmp(unit, "pixel", 5) != 0;
}

/* Reads the sequence, and cuts it to the images of the output. Returns false if it does not describe them. */
static bool read_stack(const char *text, const struct gf_change *c, struct stack *s)
{
    int64_t stated, product;

    *s = (struct stack) { .size = { 1, 1, 1, 1 } };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *value = find(text, keys[i].name);

        if (value != NULL && keys[i].about == ABOUT_COUNT)
            s->size[keys[i].place] = strtoll(value, NULL, 10);
        else if (value != NULL && keys[i].about == ABOUT_POSITION)
            s->origin[keys[i].place] = strtod(value, NULL);
    }
    stated = s->size[3];
    if (c->images < 0 || s->size[0] < 1 || s->size[1] < 1 || s->size[2] < 1
        || __builtin_mul_overflow(s->size[0], s->size[1], &product)
        || __builtin_mul_overflow(product, s->size[2], &product))
        return false;
    s->changed = c->images != stated;
    s->size[3] = c->images;
    if (!s->changed || product == 1)             /* a plain sequence of any length */
        return product == 1 || product == stated;
    return product == stated && c->images < stated && gf_change_cut(c, s->size);
}

static const struct key *key_of(const char *line)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(line, keys[i].name, strlen(keys[i].name)) == 0 && line[strlen(keys[i].name)] == '=')
            return &keys[i];
    return NULL;
}

/* Writes the line of a key, if it is still true. */
static void put_line(const char *line, size_t length, const struct key *k, const struct stack *s,
                     const struct gf_change *c, unsigned *parts, FILE *to)
{
    const enum about about = k != NULL ? k->about : ABOUT_NOTHING;
    double at[2] = { s->origin[0], s->origin[1] };
    const struct gf_affine to_output = gf_affine_invert(&c->to_file);
    const bool shifts = about == ABOUT_POSITION && gf_change_is_moved(c);

    if (about == ABOUT_COUNT && s->changed) {
        if (s->size[k->place] > 1)
            fprintf(to, "%s=%lld\n", k->name, (long long)s->size[k->place]);
        return;
    }
    if (about == ABOUT_ORDER && s->changed && s->size[3] == 1)
        return;
    if ((about == ABOUT_DISPLAY || about == ABOUT_VALUES) && gf_change_is_rescaled(c)) {
        *parts |= about == ABOUT_VALUES ? GF_PART_VALUES : 0;
        return;
    }
    if (shifts && gf_affine_axes(&to_output) != GF_AXES_SAME) {
        *parts |= GF_PART_POSITIONS;
        return;
    }
    if (shifts) {
        gf_affine_apply(&to_output, &at[0], &at[1]);
        fprintf(to, "%s=%.9g\n", k->name, at[k->place]);
        return;
    }
    fwrite(line, 1, length, to);
}

bool gf_imagej_write(const char *text, const struct gf_change *c, unsigned *parts, FILE *to)
{
    struct stack s;

    if (!read_stack(text, c, &s))
        return false;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n"), whole = length + (text[length] == '\n');

        put_line(text, whole, key_of(text), &s, c, parts, to);
        text += whole;
    }
    return true;
}
