/* Results of measurements as a table. */
#include "bench/bench_table.h"

#include <stdlib.h>
#include <string.h>

int gf_bench_table_make(const struct gf_bench_results *found, struct gf_bench_table *t, struct gf_error *err)
{
    t->values = malloc((size_t)(found->series * found->sizes) * sizeof found->value[0][0]);
    if (t->values == NULL)
        return gf_fail_memory(err, NULL);
    t->fields[GF_BENCH_US] = "us";
    t->fields[GF_BENCH_RATE] = found->unit != NULL ? found->unit : "GB/s";
    t->fields[GF_BENCH_SHARE] = "of_copy";
    t->fields[GF_BENCH_SAMPLES] = "Msamples/s";
    t->table = (struct gf_table) { .kind = &gf_speed_table_kind, .source = t->source,
                                   .channels = found->series, .channel_names = t->names,
                                   .fields = GF_BENCH_FIELDS, .field_names = t->fields, .values = t->values,
                                   .own = &t->speeds, .notes = t->notes };
    t->speeds = (struct gf_speeds) { .sizes = found->sizes, .size_samples = found->size, .axis = found->axis,
                                     .axis_linear = found->axis_linear, .explanations = found->explanations,
                                     .drawn = found->draw_time ? GF_BENCH_US : GF_BENCH_RATE };
    for (int i = 0; i < found->series; i++)
        t->names[i] = found->name[i];
    for (int i = 0; i < found->notes; i++)
        t->notes[i] = found->note[i];
    t->notes[found->notes] = NULL;
    for (int i = 0; i < found->series; i++)
        memcpy(t->values + (int64_t)i * found->sizes * GF_BENCH_FIELDS, found->value[i],
               (size_t)found->sizes * sizeof found->value[0][0]);
    return 0;
}

void gf_bench_table_release(struct gf_bench_table *t)
{
    free(t->values);
    t->values = NULL;
}
