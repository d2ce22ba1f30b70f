/* Writes speeds of several implementations as text. */
#include "bench/speed_table.h"

#include "table/json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

double gf_speed_table_value(const struct gf_table *t, int way, int size)
{
    return t->values[((int64_t)way * gf_speeds_of(t)->sizes + size) * t->fields + gf_speeds_of(t)->drawn];
}

bool gf_speed_table_is_copy(const struct gf_table *t, int way)
{
    return strncmp(t->channel_names[way], "copy", 4) == 0 || strncmp(t->channel_names[way], "copies", 6) == 0;
}

void gf_speed_table_size_text(int64_t samples, char *text)
{
    const char *mark = samples >= 1 << 20 && samples % (1 << 20) == 0 ? "M"
                     : samples >= 1024 && samples % 1024 == 0 ? "K" : "";

    snprintf(text, 24, "%" PRId64 "%s", samples / (*mark == 'M' ? 1 << 20 : *mark == 'K' ? 1024 : 1), mark);
}

void gf_speed_table_axis_text(const struct gf_table *t, int size, char *text)
{
    if (gf_speeds_of(t)->axis == NULL)
        gf_speed_table_size_text(gf_speeds_of(t)->size_samples[size], text);
    else
        snprintf(text, 24, "%" PRId64, gf_speeds_of(t)->size_samples[size]);
}

const char *gf_speed_table_axis_name(const struct gf_table *t)
{
    return gf_speeds_of(t)->axis != NULL ? gf_speeds_of(t)->axis : "samples";
}

static const double *cell_of(const struct gf_table *t, int way, int size)
{
    return t->values + ((int64_t)way * gf_speeds_of(t)->sizes + size) * t->fields;
}

static int way_columns(const struct gf_table *t)
{
    int most = 3;

    for (int c = 0; c < t->channels; c++)
        most = (int)strlen(t->channel_names[c]) > most ? (int)strlen(t->channel_names[c]) : most;
    return most;
}

/* Writes a value with about three significant digits. */
static void put_short(FILE *to, double value)
{
    const int digits = fabs(value) >= 100 ? 0 : fabs(value) >= 10 ? 1 : fabs(value) >= 1 ? 2 : 3;

    if (isfinite(value))
        fprintf(to, " %12.*f", digits, value);
    else
        fprintf(to, " %12s", "-");
}

static void put_aligned(FILE *to, const struct gf_table *t)
{
    const int wide = way_columns(t), letters = (int)strlen(gf_speed_table_axis_name(t));
    const int axis = letters > 8 ? letters : 8;
    char size[24];

    fprintf(to, "%-*s %*s", wide, "way", axis, gf_speed_table_axis_name(t));
    for (int f = 0; f < t->fields; f++)
        fprintf(to, " %12s", t->field_names[f]);
    fputc('\n', to);
    for (int c = 0; c < t->channels; c++)
        for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
            gf_speed_table_axis_text(t, i, size);
            fprintf(to, "%-*s %*s", wide, t->channel_names[c], axis, size);
            for (int f = 0; f < t->fields; f++)
                put_short(to, cell_of(t, c, i)[f]);
            fputc('\n', to);
        }
}

void gf_speed_table_put(FILE *to, const struct gf_table *t, char separator)
{
    if (separator == 0) {
        put_aligned(to, t);
        return;
    }
    fprintf(to, "way%c", separator);
    gf_table_put_cell(to, gf_speed_table_axis_name(t), separator);
    for (int f = 0; f < t->fields; f++) {
        fputc(separator, to);
        gf_table_put_cell(to, t->field_names[f], separator);
    }
    fputc('\n', to);
    for (int c = 0; c < t->channels; c++)
        for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
            gf_table_put_cell(to, t->channel_names[c], separator);
            fprintf(to, "%c%" PRId64, separator, gf_speeds_of(t)->size_samples[i]);
            for (int f = 0; f < t->fields; f++)
                fprintf(to, isfinite(cell_of(t, c, i)[f]) ? "%c%.6g" : "%c", separator, cell_of(t, c, i)[f]);
            fputc('\n', to);
        }
}

void gf_speed_table_put_json(FILE *to, const struct gf_table *t)
{
    struct gf_json j = { .to = to };

    gf_json_begin(&j, NULL, '{');
    gf_json_text(&j, "of", t->source != NULL ? t->source : "");
    gf_json_begin(&j, "rates", '[');
    for (int c = 0; c < t->channels; c++)
        for (int i = 0; i < gf_speeds_of(t)->sizes; i++) {
            gf_json_begin(&j, NULL, '{');
            gf_json_text(&j, "way", t->channel_names[c]);
            gf_json_integer(&j, gf_speed_table_axis_name(t), gf_speeds_of(t)->size_samples[i]);
            for (int f = 0; f < t->fields; f++)
                gf_json_number(&j, t->field_names[f], "%.9g", cell_of(t, c, i)[f]);
            gf_json_end(&j);
        }
    gf_json_end(&j);
    gf_json_begin(&j, "notes", '[');
    for (int i = 0; t->notes != NULL && t->notes[i] != NULL; i++)
        gf_json_text(&j, NULL, t->notes[i]);
    gf_json_finish(&j);
}
