/* Runs of the generated test by libgpufilter: the samples of a made file as an array in memory, and back. */
#include "tests/promises/generated.h"

#include "library/gpufilter.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

static gpufilter_session *sessions[2];                   /* of the CPU and of the GPU */

bool gf_arrays_open(bool gpu)
{
    const gpufilter_options cpu = { .size = sizeof cpu, .device = "cpu" };
    const gpufilter_options cuda = { .size = sizeof cuda, .device = "cuda" };
    gpufilter_error error;

    sessions[0] = gpufilter_open(&cpu, &error);
    if (sessions[0] != NULL && gpu)
        sessions[1] = gpufilter_open(&cuda, &error);
    if (sessions[gpu] == NULL)
        printf("# %s\n", error.text);
    return sessions[gpu] != NULL;
}

void gf_arrays_close(void)
{
    gpufilter_close(sessions[0]);
    gpufilter_close(sessions[1]);
}

/* ---- samples in memory ---- */

struct samples {
    gpufilter_format format;
    gpufilter_array array;
    size_t sample_bytes;
    unsigned char *room;                 /* all memory of the array */
};

static bool allocate(struct samples *s, int layout)
{
    static const int64_t bytes[] = { [GPUFILTER_U8] = 1, [GPUFILTER_U16] = 2, [GPUFILTER_S16] = 2, [GPUFILTER_S32] = 4,
                                    [GPUFILTER_F32] = 4, [GPUFILTER_F64] = 8 };
    const gpufilter_format *f = &s->format;
    const int64_t b = bytes[f->type], n = f->channels, w = f->width > 0 ? f->width : 1;
    const int64_t h = f->units > 0 ? f->units : 1, gap = (n + 1) * b + 1;

    s->sample_bytes = (size_t)b;
    s->room = calloc((size_t)(w * h), (size_t)gap);
    s->array = (gpufilter_array) { .size = sizeof s->array, .data = s->room };
    if (layout == 1 && s->room != NULL) {
        s->array.data = s->room + (w * h - 1) * gap + (n - 1) * b + 1;
        s->array.unit_stride = -w * gap, s->array.pixel_stride = -gap, s->array.channel_stride = -b;
    } else if (layout == 2) {
        s->array.unit_stride = w * b, s->array.pixel_stride = b, s->array.channel_stride = w * h * b;
    } else {
        s->array.unit_stride = w * n * b, s->array.pixel_stride = n * b, s->array.channel_stride = b;
    }
    return s->room != NULL;
}

/* Returns the place of sample `number` of those without gaps. */
static unsigned char *place(const struct samples *s, int64_t number)
{
    const int64_t n = s->format.channels, w = s->format.width, pixel = number / n;

    return (unsigned char *)s->array.data + pixel / w * s->array.unit_stride + pixel % w * s->array.pixel_stride
        + number % n * s->array.channel_stride;
}

/* ---- files ---- */

/* Returns the format of an array for the samples of a made file. */
static gpufilter_format format_of(const struct gf_made_signal *m)
{
    const bool sound = m->made == GF_MADE_SOUND;
    gpufilter_format f = { .size = sizeof f, .kind = sound ? GPUFILTER_AUDIO : GPUFILTER_IMAGE, .channels = m->channels,
                           .alpha = !sound && m->channels % 2 == 0, .width = m->width, .units = m->units,
                           .rate = sound ? 44100 : 0 };

    if (m->type == GF_F32 || m->type == GF_F64)
        f.type = m->type == GF_F32 ? GPUFILTER_F32 : GPUFILTER_F64;
    else if (sound)
        f.type = m->bits <= 16 ? GPUFILTER_S16 : GPUFILTER_S32, f.bits = m->bits;
    else
        f.type = m->bits == 8 ? GPUFILTER_U8 : GPUFILTER_U16;
    return f;
}

/* Finds the first sample of a made file. */
static long first_sample(const struct gf_made_signal *m, FILE *f)
{
    char line[80];

    if (m->made == GF_MADE_SOUND)
        return 44;
    if (m->type == GF_F32)
        return 224;
    while (fgets(line, sizeof line, f) != NULL && strcmp(line, "ENDHDR\n") != 0)
        continue;
    return ftell(f);
}

/* Reads the samples. Integers of files become those of arrays: in the order of the machine, in the upper bits. */
static bool load(const struct gf_made_signal *m, struct samples *s, int layout)
{
    const size_t stored = (size_t)m->bits / 8;
    const bool sound = m->made == GF_MADE_SOUND, big = !sound && m->type == GF_U16, offset = sound && m->type == GF_U8;
    FILE *f = fopen(m->name, "rb");
    bool good;

    s->format = format_of(m);
    good = f != NULL && allocate(s, layout) && fseek(f, first_sample(m, f), SEEK_SET) == 0;
    for (int64_t i = 0; good && i < m->units * m->width * m->channels; i++) {
        unsigned char bytes[8], *const to = place(s, i);

        good = fread(bytes, 1, stored, f) == stored;
        for (size_t k = 0; k < stored; k++)
            to[s->sample_bytes - stored + k] = bytes[big ? stored - 1 - k : k];
        if (offset)
            to[1] ^= 128;                /* the file has 128 for silence */
    }
    if (f != NULL)
        fclose(f);
    return good;
}

static void write_samples(FILE *to, const struct samples *s)
{
    for (int64_t i = 0; i < s->format.units * s->format.width * s->format.channels; i++)
        fwrite(place(s, i), 1, s->sample_bytes, to);
}

static void write_table(FILE *to, const gpufilter_table *t)
{
    const struct gf_table all = { .channels = t->channels, .channel_names = t->channel_names, .bins = t->bins,
                                  .low = t->low, .high = t->high, .counts = t->counts, .fields = t->fields,
                                  .field_names = t->field_names, .values = t->values, .columns = t->columns,
                                  .cells = t->cells, .timeline = t->timeline, .seconds = t->seconds,
                                  .window = t->cells > 4 };      /* otherwise the levels of a waveform */

    if (t->bins > 0)
        gf_table_put_counts(to, &all, '\t', false);
    else if (t->columns > 0)
        gf_table_put_timeline(to, &all, '\t');
    else
        gf_table_put_fields(to, &all, '\t');
}

/* ---- a run ---- */

static int run_job(gpufilter_job *job, const struct samples *in, int layout, const char *name, gpufilter_error *error)
{
    struct samples out = { .format = { .size = sizeof out.format } };
    gpufilter_table table = { .size = sizeof table };
    const bool measures = gpufilter_measures(job) == 1;
    int result = measures ? 0 : gpufilter_format_of(job, &out.format, error);
    FILE *to;

    if (result == 0 && !measures && !allocate(&out, layout))
        result = -1;
    if (result == 0)
        result = gpufilter_run(job, &in->array, measures ? NULL : &out.array, error);
    if (result == 0 && measures)
        result = gpufilter_table_of(job, &table, error);
    if (result == 0 && table.unmet != NULL)
        error->status = 1;               /* as the program ends after it has written the table */
    to = result == 0 ? fopen(name, "wb") : NULL;
    if (to != NULL) {
        if (measures)
            write_table(to, &table);
        else
            write_samples(to, &out);
        fclose(to);
    }
    free(out.room);
    return result;
}

static int type_of(const char *depth)
{
    return depth == NULL ? GPUFILTER_SAME : strcmp(depth, "8") == 0 ? GPUFILTER_U8 : strcmp(depth, "u16") == 0
         ? GPUFILTER_U16 : strcmp(depth, "16") == 0 ? GPUFILTER_S16 : strcmp(depth, "32") == 0 ? GPUFILTER_S32
         : GPUFILTER_F32;
}

/* Returns true if an array of this name is among the second inputs, as stages may read the same one. */
static bool has_input(const gpufilter_request *q, const char *name)
{
    for (size_t i = 0; i < q->input_count; i++)
        if (strcmp(q->inputs[i].name, name) == 0)
            return true;
    return false;
}

int gf_arrays_run(const struct gf_made_signal *in, const struct gf_drawn_stage *stages, int count, const char *depth,
                  int layout, bool gpu, const char *out, const char *errors)
{
    gpufilter_error error = { 0 };
    struct samples from = { 0 }, second[8] = { 0 };
    gpufilter_input inputs[8];
    gpufilter_request q = { .size = sizeof q, .inputs = inputs, .type = type_of(depth) };
    char text[8000] = "";
    gpufilter_chain *chain;
    gpufilter_job *job;
    bool good = load(in, &from, layout);
    FILE *said = fopen(errors, "w");

    for (int i = 0; i < count; i++) {
        const struct gf_made_signal *const m = &stages[i].second;

        gf_drawn_stage_print(&stages[i], text + strlen(text), sizeof text - strlen(text) - 1);
        strcat(text, " ");
        if (m->name[0] == '\0' || m->made == GF_MADE_SOUND || has_input(&q, m->name))
            continue;
        good = good && load(m, &second[i], (layout + i) % GF_LAYOUTS);
        inputs[q.input_count++] = (gpufilter_input) { .size = sizeof *inputs, .name = m->name,
                                                      .format = &second[i].format, .array = &second[i].array };
    }
    q.in = &from.format;
    q.look = &from.array;
    chain = gpufilter_parse(sessions[gpu], text, from.format.kind, &error);
    job = good && chain != NULL ? gpufilter_prepare(sessions[gpu], chain, &q, &error) : NULL;
    if (job != NULL)
        run_job(job, &from, layout, out, &error);
    if (said != NULL && fprintf(said, "%s\n", error.text) > 0)
        fclose(said);
    gpufilter_job_free(job);
    gpufilter_chain_free(chain);
    free(from.room);
    for (int i = 0; i < 8; i++)
        free(second[i].room);
    return good ? error.status : -1;
}
