/*
 * Updates OME-XML, the description of microscope images in a TIFF. It is read as a sequence of tags, of which a few
 * have attributes that a changed image makes false; all other text is copied.
 */
#include "io/metadata/ome.h"

#include "io/metadata/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EDITS 16
#define EDIT_BYTES 48

/* ---- tags ---- */

struct tag {
    const char *begin, *end;             /* "<" and the byte after ">" */
    const char *name;                    /* without a prefix such as "OME:" */
    size_t name_bytes;
    bool closing, empty;
};

struct attribute {
    const char *begin, *end;             /* with the blanks before it */
    const char *name, *value;
    size_t name_bytes, value_bytes;
};

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

/* Returns the end of a comment, character data, instruction or declaration that begins at `s`; NULL: it is a tag. */
static const char *other_end(const char *s)
{
    const char *ends = strncmp(s, "<!--", 4) == 0 ? "-->" : strncmp(s, "<![CDATA[", 9) == 0 ? "]]>"
                     : s[1] == '?' || s[1] == '!' ? ">" : NULL;
    const char *end = ends != NULL ? strstr(s, ends) : NULL;

    return ends == NULL ? NULL : end != NULL ? end + strlen(ends) : s + strlen(s);
}

/* Returns the byte after the name of a tag, and leaves out a prefix. */
static const char *read_name(const char *s, struct tag *t)
{
    const size_t length = strcspn(s, " \t\r\n/>");
    const char *colon = memchr(s, ':', length);

    t->name = colon != NULL ? colon + 1 : s;
    t->name_bytes = (size_t)(s + length - t->name);
    return s + length;
}

/* Finds the next tag from `s` on; without one, *to stays as it is. */
static bool next_tag(const char *s, struct tag *to)
{
    const char *at, *other;
    struct tag t;

    for (s = strchr(s, '<'); s != NULL && (other = other_end(s)) != NULL; s = strchr(other, '<'))
        ;
    if (s == NULL)
        return false;
    t = (struct tag) { .begin = s, .closing = s[1] == '/' };
    at = read_name(s + 1 + t.closing, &t);
    for (; *at != '\0' && *at != '>'; at++)
        if (*at == '"' || *at == '\'') {
            at = strchr(at + 1, *at);
            if (at == NULL)
                return false;
        }
    if (*at == '\0')
        return false;
    t.empty = at[-1] == '/';
    t.end = at + 1;
    *to = t;
    return true;
}

static bool is_tag(const struct tag *t, const char *name)
{
    return t->name_bytes == strlen(name) && memcmp(t->name, name, t->name_bytes) == 0;
}

/* Finds the next attribute of a tag from `s` on. */
static bool next_attribute(const struct tag *t, const char *s, struct attribute *a)
{
    const char *end;

    a->begin = s;
    a->name = skip_blanks(s);
    a->name_bytes = strcspn(a->name, " \t\r\n=/>");
    s = skip_blanks(a->name + a->name_bytes);
    if (s >= t->end || *s != '=' || a->name_bytes == 0)
        return false;
    s = skip_blanks(s + 1);
    end = *s == '"' || *s == '\'' ? strchr(s + 1, *s) : NULL;
    if (end == NULL || end >= t->end)
        return false;
    a->value = s + 1;
    a->value_bytes = (size_t)(end - a->value);
    a->end = end + 1;
    return true;
}

static bool is_attribute(const struct attribute *a, const char *name)
{
    return a->name_bytes == strlen(name) && memcmp(a->name, name, a->name_bytes) == 0;
}

static bool find_attribute(const struct tag *t, const char *name, struct attribute *a)
{
    for (const char *s = t->name + t->name_bytes; next_attribute(t, s, a); s = a->end)
        if (is_attribute(a, name))
            return true;
    return false;
}

/* Returns a number, or `otherwise` if there is none. Quotes end the text of numbers. */
static double read_number(const struct tag *t, const char *name, double otherwise)
{
    struct attribute a;

    return find_attribute(t, name, &a) ? strtod(a.value, NULL) : otherwise;
}

/* Returns a count or an index, or -1 if it is out of range. */
static int64_t read_count(const struct tag *t, const char *name, int64_t otherwise)
{
    const double v = read_number(t, name, (double)otherwise);

    return v >= 0 && v <= INT32_MAX ? (int64_t)v : -1;
}

/* Returns the byte after an element that begins with a tag. */
static const char *element_end(const struct tag *first)
{
    struct tag t = *first;

    for (int depth = first->empty ? 0 : 1; depth > 0;) {
        if (!next_tag(t.end, &t))
            return t.end + strlen(t.end);
        if (t.name_bytes == first->name_bytes && memcmp(t.name, first->name, t.name_bytes) == 0)
            depth += t.closing ? -1 : !t.empty;
    }
    return t.end;
}

/* ---- what a description states ---- */

/* Dimensions that follow those of an image. */
enum { DIM_C, DIM_Z, DIM_T };
static const char dim_letters[] = "CZT";

struct stated {
    int images, pixels;
    bool elsewhere;                      /* samples in other files, or inside the XML */
    bool other_type;                     /* an image of another type than the output */
    struct attribute file;               /* the name of the file that it was written to */
    bool named;
    bool listed, in_order;               /* it lists the planes, and in the order of the dimensions */
    int64_t size[3], samples;            /* planes of C, Z and T; samples per pixel */
    int order[3];                        /* the dimension that changes first, second, and last */
};

bool gf_ome_is(const char *text)
{
    struct tag t;

    return next_tag(text, &t) && is_tag(&t, "OME") && !t.closing;
}

bool gf_ome_is_measured(const char *text)
{
    struct tag t;

    if (!gf_ome_is(text))
        return false;
    while (next_tag(text, &t) && !is_tag(&t, "Pixels"))
        text = t.end;
    return is_tag(&t, "Pixels") && read_number(&t, "PhysicalSizeX", 0) > 0;
}

static const char *type_word(const struct gf_format *f)
{
    return f->type == GF_U8 ? "uint8" : f->type == GF_U16 ? "uint16" : "float";
}

static void read_pixels(const struct tag *t, const struct gf_change *c, struct stated *s)
{
    static const char *const names[] = { "SizeC", "SizeZ", "SizeT" };
    struct attribute a;

    s->pixels++;
    s->samples = 1;
    s->in_order = true;
    for (int d = 0; d < 3; d++) {
        s->size[d] = read_count(t, names[d], 1);
        s->order[d] = d;
    }
    if (find_attribute(t, "DimensionOrder", &a) && a.value_bytes == 5)
        for (int i = 0; i < 3; i++)
            for (int d = 0; d < 3; d++)
                if (a.value[2 + i] == dim_letters[d])
                    s->order[i] = d;
    s->other_type = s->other_type || !find_attribute(t, "Type", &a) || a.value_bytes != strlen(type_word(&c->out))
                  || memcmp(a.value, type_word(&c->out), a.value_bytes) != 0;
}

/* Checks that a list of planes is that of the order of dimensions: plane n is page n. */
static void read_planes(const struct tag *t, struct stated *s)
{
    static const char *const names[] = { "FirstC", "FirstZ", "FirstT" };
    int64_t page = read_count(t, "IFD", 0), plane = 0, times = 1;

    for (int i = 0; i < 3; i++) {
        const int64_t first = read_count(t, names[s->order[i]], 0);

        if (first < 0 || first >= s->size[s->order[i]])
            s->in_order = false;
        else
            plane += first * times;
        if (__builtin_mul_overflow(times, s->size[s->order[i]], &times) || times > INT32_MAX)
            times = s->in_order = 0;
    }
    s->in_order = s->in_order && plane == page;
    s->listed = true;
}

static void read_file_name(const struct tag *t, struct stated *s)
{
    struct attribute a;

    if (!find_attribute(t, "FileName", &a))
        return;
    if (!s->named)
        s->file = a;
    s->elsewhere = s->elsewhere || a.value_bytes != s->file.value_bytes
                 || memcmp(a.value, s->file.value, a.value_bytes) != 0;
    s->named = true;
}

/* The colors of a pixel count as channels, but they are in one plane. */
static void read_samples(const struct tag *t, struct stated *s)
{
    const int64_t samples = read_count(t, "SamplesPerPixel", 1);

    if (samples <= 1 || s->samples > 1 || s->size[DIM_C] % samples != 0)
        return;
    s->samples = samples;
    s->size[DIM_C] /= samples;
}

static void read_description(const char *text, const struct gf_change *c, struct stated *s)
{
    struct tag t;

    *s = (struct stated) { 0 };
    for (; next_tag(text, &t); text = t.end) {
        if (t.closing)
            continue;
        s->images += is_tag(&t, "Image");
        s->elsewhere = s->elsewhere || is_tag(&t, "BinaryOnly") || is_tag(&t, "BinData");
        if (is_tag(&t, "Pixels"))
            read_pixels(&t, c, s);
        else if (is_tag(&t, "Channel"))
            read_samples(&t, s);
        else if (is_tag(&t, "TiffData"))
            read_planes(&t, s);
        else if (is_tag(&t, "UUID"))
            read_file_name(&t, s);
    }
}

/* Cuts the sizes to the images of the output. Returns false if they do not describe those of the file. */
static bool cut_sizes(const struct gf_change *c, struct stated *s)
{
    int64_t sizes[3], product = 1;

    if (s->images != 1 || s->pixels != 1 || s->elsewhere || !s->listed || !s->in_order)
        return false;
    for (int i = 0; i < 3; i++) {
        sizes[i] = s->size[s->order[i]];
        if (sizes[i] < 1 || __builtin_mul_overflow(product, sizes[i], &product))
            return false;
    }
    if (product != c->images_in || c->images > product || !gf_change_cut(c, sizes))
        return false;
    for (int i = 0; i < 3; i++)
        s->size[s->order[i]] = sizes[i];
    return true;
}

/* ---- writing ---- */

/* A new value of an attribute: a text, the value of another attribute, or nothing, which removes the attribute. */
struct edit {
    const char *name;
    char value[EDIT_BYTES];
    struct attribute copied;
    bool add;                            /* it is added if the tag does not have it */
    bool done;
};

struct edits {
    struct edit list[MOST_EDITS];
    int count;
};

/* A description that is being written. */
struct rewrite {
    const struct gf_change *change;
    const struct stated *stated;
    unsigned *parts;                     /* what is left out */
    FILE *to;
    int64_t channels;                    /* seen so far */
    bool listed;                         /* the planes are listed */
    bool failed;                         /* a tag needs too many edits */
};

/* Adds an edit that removes an attribute until it gets a value. Further edits than MOST_EDITS are only counted. */
static struct edit *add_edit(struct edits *e, const char *name)
{
    struct edit *to = &e->list[e->count < MOST_EDITS ? e->count : MOST_EDITS - 1];

    e->count++;
    *to = (struct edit) { .name = name };
    return to;
}

static struct edit *edit_text(struct edits *e, const char *name, const char *text)
{
    struct edit *to = add_edit(e, name);

    snprintf(to->value, sizeof to->value, "%s", text);
    return to;
}

static struct edit *edit_number(struct edits *e, const char *name, double value)
{
    struct edit *to = add_edit(e, name);

    snprintf(to->value, sizeof to->value, "%.10g", value);
    return to;
}

/* Writes "=" and a value. A copied one keeps its quotes, because it may contain the others. */
static void put_value(const struct edit *e, FILE *to)
{
    if (e->copied.value == NULL)
        fprintf(to, "=\"%s\"", e->value);
    else
        fprintf(to, "=%.*s", (int)e->copied.value_bytes + 2, e->copied.value - 1);
}

static void put_tag(const struct tag *t, struct edits *e, struct rewrite *w)
{
    const char *s = t->name + t->name_bytes;
    struct attribute a;

    if (e->count > MOST_EDITS) {
        w->failed = true;
        return;
    }
    fwrite(t->begin, 1, (size_t)(s - t->begin), w->to);
    for (; next_attribute(t, s, &a); s = a.end) {
        struct edit *found = NULL;

        for (int i = 0; i < e->count; i++)
            found = is_attribute(&a, e->list[i].name) ? &e->list[i] : found;
        if (found == NULL) {
            fwrite(a.begin, 1, (size_t)(a.end - a.begin), w->to);
            continue;
        }
        if (found->value[0] != '\0' || found->copied.value != NULL) {
            fwrite(a.begin, 1, (size_t)(a.name + a.name_bytes - a.begin), w->to);
            put_value(found, w->to);
        }
        found->done = true;
    }
    for (int i = 0; i < e->count; i++)
        if (e->list[i].add && !e->list[i].done) {
            fprintf(w->to, " %s", e->list[i].name);
            put_value(&e->list[i], w->to);
        }
    fwrite(s, 1, (size_t)(t->end - s), w->to);
}

/* The sizes of pixels follow the image; its other units are those of the axis that they belong to. */
static void edit_physical_size(const struct tag *t, struct edits *e, struct rewrite *w)
{
    static const char *const names[] = { "PhysicalSizeX", "PhysicalSizeY" };
    static const char *const units[] = { "PhysicalSizeXUnit", "PhysicalSizeYUnit" };
    const bool turned = gf_affine_axes(&w->change->to_file) == GF_AXES_TURNED;
    double density[2];

    for (int i = 0; i < 2; i++)
        density[i] = 1 / read_number(t, names[i], NAN);
    if (!gf_change_density(&w->change->to_file, &density[0], &density[1]))
        *w->parts |= isnan(density[0]) && isnan(density[1]) ? 0 : GF_PART_SCALE;
    for (int i = 0; i < 2; i++) {
        const double was = read_number(t, names[turned ? 1 - i : i], NAN);
        struct attribute unit;

        if (isnan(density[i]) || density[i] <= 0 || (*w->parts & GF_PART_SCALE) != 0)
            add_edit(e, names[i]);
        else if (fabs(1 / density[i] - was) > 1e-9 * fabs(was) || turned)
            edit_number(e, names[i], 1 / density[i])->add = true;
        if (turned) {
            struct edit *to = add_edit(e, units[i]);

            to->add = find_attribute(t, units[1 - i], &unit);
            if (to->add)
                to->copied = unit;
        }
    }
}

static void put_pixels(const struct tag *t, struct rewrite *w)
{
    const struct gf_format *out = &w->change->out;
    const int64_t *size = w->stated->size;
    struct edits e = { .count = 0 };
    const uint16_t one = 1;

    edit_number(&e, "SizeX", (double)out->width);
    edit_number(&e, "SizeY", (double)out->units);
    edit_number(&e, "SizeC", (double)(size[DIM_C] * out->channels));
    edit_number(&e, "SizeZ", (double)size[DIM_Z]);
    edit_number(&e, "SizeT", (double)size[DIM_T]);
    edit_text(&e, "Type", type_word(out));
    edit_text(&e, "BigEndian", *(const unsigned char *)&one == 0 ? "true" : "false");
    if (out->channels > 1)
        edit_text(&e, "Interleaved", "true");
    if (gf_change_is_rescaled(w->change) || w->stated->other_type)
        edit_number(&e, "SignificantBits", out->bits);
    if (gf_change_is_moved(w->change))
        edit_physical_size(t, &e, w);
    put_tag(t, &e, w);
}

static void put_channel(const struct tag *t, struct rewrite *w)
{
    const int channels = w->change->out.channels;
    struct edits e = { .count = 0 };

    edit_number(&e, "SamplesPerPixel", channels)->add = channels > 1;
    put_tag(t, &e, w);
}

/* Positions of the microscope's stage are those of the whole image. */
static void put_plane(const struct tag *t, struct rewrite *w)
{
    static const char *const names[] = { "PositionX", "PositionY", "PositionXUnit", "PositionYUnit" };
    struct edits e = { .count = 0 };
    struct attribute a;

    for (size_t i = 0; !gf_change_is_scaled_only(w->change) && i < sizeof names / sizeof *names; i++) {
        *w->parts |= find_attribute(t, names[i], &a) ? GF_PART_STAGE : 0;
        add_edit(&e, names[i]);
    }
    put_tag(t, &e, w);
}

static bool is_left_out(const struct tag *t, const struct stated *s)
{
    return read_count(t, "TheC", 0) >= s->size[DIM_C] || read_count(t, "TheZ", 0) >= s->size[DIM_Z]
        || read_count(t, "TheT", 0) >= s->size[DIM_T];
}

/* Writes a tag, or the element that it begins, as it is true for the output. Returns where the text goes on. */
static const char *put_element(const struct tag *t, struct rewrite *w)
{
    const struct gf_change *c = w->change;
    struct edits e = { .count = 0 };

    if (is_tag(t, "TiffData")) {
        if (!w->listed)
            fprintf(w->to, "%.*sTiffData IFD=\"0\" PlaneCount=\"%lld\"/>", (int)(t->name - t->begin), t->begin,
                    (long long)c->images);
        w->listed = true;
        return element_end(t);
    }
    if ((is_tag(t, "Channel") && w->channels++ >= w->stated->size[DIM_C])
        || (is_tag(t, "Plane") && is_left_out(t, w->stated)))
        return element_end(t);
    if ((gf_change_is_moved(c) && (is_tag(t, "ROI") || is_tag(t, "ROIRef")))
        || (!gf_change_is_scaled_only(c) && is_tag(t, "StageLabel"))) {
        *w->parts |= is_tag(t, "StageLabel") ? GF_PART_STAGE : GF_PART_ROI;
        return element_end(t);
    }
    if (is_tag(t, "OME"))
        add_edit(&e, "UUID");
    if (is_tag(t, "Pixels"))
        put_pixels(t, w);
    else if (is_tag(t, "Channel"))
        put_channel(t, w);
    else if (is_tag(t, "Plane"))
        put_plane(t, w);
    else
        put_tag(t, &e, w);
    return t->end;
}

bool gf_ome_write(const char *text, const struct gf_change *c, unsigned *parts, FILE *to)
{
    struct stated s;
    struct rewrite w = { .change = c, .stated = &s, .parts = parts, .to = to };
    struct tag t;

    read_description(text, c, &s);
    if (!c->changed && c->images == c->images_in && !gf_change_is_rescaled(c) && !s.other_type && !s.named
        && !s.elsewhere) {
        fputs(text, to);
        return true;
    }
    if (!cut_sizes(c, &s))
        return false;
    while (next_tag(text, &t)) {
        fwrite(text, 1, (size_t)(t.begin - text), to);
        if (t.closing) {
            fwrite(t.begin, 1, (size_t)(t.end - t.begin), to);
            text = t.end;
        } else {
            text = put_element(&t, &w);
        }
    }
    fputs(text, to);
    return !w.failed;
}
