/* The arithmetic of a roofline, and its table. */
#include "bench/roofline/roofline.h"

#include "bench/speed_table.h"

#include <stdio.h>
#include <string.h>

double gf_roofline_ridge(const struct gf_roofline *r)
{
    return r->bytes_per_second > 0 ? r->flop_per_second / r->bytes_per_second : 0;
}

double gf_roofline_limit(const struct gf_roofline *r, double flop_per_byte)
{
    const double memory = flop_per_byte * r->bytes_per_second;

    return memory < r->flop_per_second ? memory : r->flop_per_second;
}

/* Computes the fields of a point. */
static void find_fields(const struct gf_roofline *r, const struct gf_roofline_point *p, double *v)
{
    const double limit = gf_roofline_limit(r, p->flop / p->bytes);

    v[GF_ROOF_SAMPLE] = p->flop / p->samples;
    v[GF_ROOF_BYTE] = p->flop / p->bytes;
    v[GF_ROOF_RATE] = p->flop / p->seconds * 1e-9;
    v[GF_ROOF_LIMIT] = limit * 1e-9;
    v[GF_ROOF_SHARE] = p->flop / p->seconds / limit;
}

static void put_notes(const struct gf_roofline *r, struct gf_roofline_table *t)
{
    char samples[24];

    gf_speed_table_size_text(r->samples, samples);
    snprintf(t->note[0], sizeof t->note[0], "Memory: a copy of %s floats moves %.4g GB/s, reads and writes together.",
             samples, r->bytes_per_second * 1e-9);
    snprintf(t->note[1], sizeof t->note[1], "Arithmetic: independent multiply-adds of floats reach %.0f GFLOP/s, where "
             "each counts as two operations.", r->flop_per_second * 1e-9);
    snprintf(t->note[2], sizeof t->note[2], "The ceilings meet at %.3g FLOP per byte. Memory limits the operations to "
             "the left of it; only fewer bytes make them faster. Arithmetic limits those to the right.",
             gf_roofline_ridge(r));
    snprintf(t->note[3], sizeof t->note[3], "Operations are counted from their definition, and bytes as if each sample "
             "were read once and each result written once. Data in a cache, or a body that saves operations, can be "
             "above the roof.");
    for (int i = 0; i < 4; i++)
        t->notes[i] = t->note[i];
    t->notes[4] = NULL;
}

static const char *const fields[] = { "FLOP/sample", "FLOP/byte", "GFLOP/s", "roof GFLOP/s", "of_roof" };

void gf_roofline_tabulate(const struct gf_roofline *r, struct gf_roofline_table *t)
{
    memset(t, 0, sizeof *t);
    snprintf(t->source, sizeof t->source, "roofline of %s", r->device);
    for (int i = 0; i < r->points; i++) {
        t->names[i] = r->point[i].name;
        find_fields(r, &r->point[i], t->values + (ptrdiff_t)i * GF_ROOF_FIELDS);
    }
    put_notes(r, t);
    t->table = (struct gf_table) { .kind = &gf_roofline_kind, .source = t->source, .channels = r->points,
                                   .channel_names = t->names,
                                   .fields = GF_ROOF_FIELDS, .field_names = fields,
                                   .values = t->values, .samples = r->samples,
                                   .own = &t->roofs, .notes = t->notes };
    t->roofs = (struct gf_roofs) { r->bytes_per_second * 1e-9, r->flop_per_second * 1e-9 };
}

void gf_roofline_print(const struct gf_roofline *r)
{
    printf("  ceilings: memory %.4g GB/s (a copy, reads and writes together), arithmetic %.0f GFLOP/s (multiply-adds "
           "of floats); they meet at %.3g FLOP per byte\n", r->bytes_per_second * 1e-9, r->flop_per_second * 1e-9,
           gf_roofline_ridge(r));
    printf("  %-28s %11s %9s %9s %9s %8s  %s\n", "operation, planes of floats", "FLOP/sample", "FLOP/byte", "GFLOP/s",
           "roof", "of roof", "limited by");
    for (int i = 0; i < r->points; i++) {
        double v[GF_ROOF_FIELDS];

        find_fields(r, &r->point[i], v);
        printf("  %-28s %11.4g %9.3g %9.*f %9.*f %6.0f %%  %s\n", r->point[i].name, v[GF_ROOF_SAMPLE], v[GF_ROOF_BYTE],
               v[GF_ROOF_RATE] < 100, v[GF_ROOF_RATE], v[GF_ROOF_LIMIT] < 100, v[GF_ROOF_LIMIT],
               100 * v[GF_ROOF_SHARE], v[GF_ROOF_BYTE] < gf_roofline_ridge(r) ? "memory" : "arithmetic");
    }
}
