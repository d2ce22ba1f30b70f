/* Descriptions of whole images by ImageJ, tifffile and in OME-XML, which are texts of other metadata. */
#include "io/metadata/description.h"

#include "io/metadata/imagej.h"
#include "io/metadata/ome.h"
#include "io/text_output.h"

#include <stdlib.h>
#include <string.h>

/* Python's tifffile writes the shape of all pages, and believes it more than the pages. */
static bool is_shape(const char *text)
{
    return strncmp(text, "{\"shape\":", 9) == 0;
}

bool gf_description_is(const char *text)
{
    return gf_imagej_is(text) || gf_ome_is(text) || is_shape(text);
}

bool gf_description_is_measured(const char *text)
{
    return gf_imagej_is_measured(text) || gf_ome_is_measured(text);
}

/* Replaces a text by one that is true; by nothing if there is none. */
static int settle_text(struct gf_text *t, const struct gf_change *c, unsigned *parts, struct gf_error *err)
{
    const bool imagej = gf_imagej_is(t->value);
    struct gf_text_output text;
    FILE *to = gf_text_output_open(&text, NULL, NULL, err);
    bool kept;

    if (to == NULL)
        return -1;
    kept = imagej ? gf_imagej_write(t->value, c, parts, to) : gf_ome_write(t->value, c, parts, to);
    if (gf_text_output_close(&text, to, 0, err) != 0) {
        free(text.text);
        return -1;
    }
    free(t->value);
    t->value = kept ? text.text : NULL;
    if (kept)
        return 0;
    free(text.text);
    *parts |= imagej ? GF_PART_IMAGEJ : GF_PART_OME;
    return 0;
}

int gf_description_settle(struct gf_meta *m, const struct gf_change *c, struct gf_error *err)
{
    int kept = 0;

    for (int i = 0; i < m->texts; i++) {
        struct gf_text *t = &m->text[i];

        if ((strcmp(t->key, "Description") != 0 && strcmp(t->key, "Comment") != 0) || !gf_description_is(t->value))
            continue;
        if (is_shape(t->value)) {                    /* the file states the shape itself, so nothing is lost */
            if (c->changed || c->images != c->images_in || c->images < 0) {
                free(t->value);
                t->value = NULL;
            }
        } else if (settle_text(t, c, &m->parts, err) != 0) {
            return -1;
        }
    }
    for (int i = 0; i < m->texts; i++)
        if (m->text[i].value != NULL)
            m->text[kept++] = m->text[i];
        else
            free(m->text[i].key);
    m->texts = kept;
    return 0;
}
