/* Describes all stages as JSON, for bindings to other languages. */
#define _GNU_SOURCE
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "library/library.h"

#include "table/json.h"

#include <math.h>
#include <stdlib.h>

static const char *type_of(const struct gf_option *row)
{
    static const char *const names[] = {
        [GF_OPTION_INT] = "integer", [GF_OPTION_NUMBER] = "number", [GF_OPTION_DECIBEL] = "decibel",
        [GF_OPTION_CHOICE] = "choice", [GF_OPTION_EITHER] = "number or choice", [GF_OPTION_FLAG] = "flag",
        [GF_OPTION_COLOUR] = "color", [GF_OPTION_GEOMETRY] = "geometry", [GF_OPTION_SIZE] = "size",
        [GF_OPTION_TIME] = "time", [GF_OPTION_REST] = "text", [GF_OPTION_INPUT] = "input",
        [GF_OPTION_OUTPUT] = "output", [GF_OPTION_EXTENT] = "range", [GF_OPTION_MASK] = "mask",
    };

    return row->colors || row->counts ? "input" : names[row->type];     /* an image, whose integers are levels */
}

/* Puts the limits of a number. JSON has no infinity, so a limit that is none is missing. */
static void put_limits(struct gf_json *j, const struct gf_option *row)
{
    if (row->type > GF_OPTION_DECIBEL && row->type != GF_OPTION_EITHER)
        return;
    if (isfinite(row->least))
        gf_json_number(j, "min", "%.10g", row->least);
    if (isfinite(row->most))
        gf_json_number(j, "max", "%.10g", row->most);
}

static void put_option(struct gf_json *j, const struct gf_option *row)
{
    char range[200];

    gf_json_begin(j, NULL, '{');
    gf_json_text(j, "name", row->name);
    gf_json_text(j, "type", type_of(row));
    gf_option_range(row, range, sizeof range);
    gf_json_text(j, "range", range);
    put_limits(j, row);
    if (row->choices != NULL) {
        gf_json_begin(j, "choices", '[');
        for (int i = 0; row->choices[i] != NULL; i++)
            gf_json_text(j, NULL, row->choices[i]);
        gf_json_end(j);
    }
    if (row->type == GF_OPTION_CHOICE && row->by_default >= 0)
        gf_json_text(j, "default", row->choices[(int)row->by_default]);
    else if (row->type <= GF_OPTION_DECIBEL && !isnan(row->by_default) && !row->required)
        gf_json_number(j, "default", "%g", row->by_default);
    if (row->unit != NULL)
        gf_json_text(j, "unit", row->unit);
    gf_json_text(j, "text", row->text);
    gf_json_integer(j, "required", row->required);
    gf_json_integer(j, "key_only", row->key_only);
    gf_json_end(j);
}

static void put_stage(struct gf_json *j, const struct gf_stage *s)
{
    static const char *const ends[] = { "signal", "table", "drawing", "tiles" };
    bool keys = false;

    gf_json_break(j);
    gf_json_begin(j, NULL, '{');
    gf_json_text(j, "name", s->name);
    gf_json_text(j, "kind", s->kind == GF_IMAGE ? "image" : "audio");
    gf_json_text(j, "result", ends[s->ends]);
    /* a chain of the library has one signal, which it reads once */
    gf_json_integer(j, "only_command", s->joins != NULL || s->splits != NULL || s->inserts != NULL || s->by_times);
    gf_json_text(j, "summary", s->summary);
    gf_json_text(j, "text", s->text != NULL ? s->text : "");
    gf_json_begin(j, "examples", '[');
    for (int i = 0; s->examples != NULL && s->examples[i] != NULL; i++)
        gf_json_text(j, NULL, s->examples[i]);
    gf_json_end(j);
    gf_json_begin(j, "options", '[');
    for (const struct gf_option *row = s->options; row != NULL && row->name != NULL; row++) {
        struct gf_option one = *row;

        keys = keys || row->key_only;        /* options after the first that needs its name do, too */
        one.key_only = keys;
        put_option(j, &one);
    }
    gf_json_end(j);
    gf_json_end(j);
}

char *gpufilter_stages(void)
{
    char *text = NULL;
    size_t size;
    struct gf_json j = { .to = open_memstream(&text, &size) };

    if (j.to == NULL)
        return NULL;
    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "version", PACKAGE_VERSION);
    gf_json_begin(&j, "stages", '[');
    for (int i = 0; i < gf_stage_count; i++)
        put_stage(&j, gf_stages[i]);
    gf_json_finish(&j);
    if (fclose(j.to) == 0)
        return text;
    free(text);
    return NULL;
}
