/* Opens, numbers and closes the files of tee stages. */
#include "batch/tee_writers.h"

#include "base/path.h"
#include "batch/output_names.h"
#include "batch/video_checks.h"
#include "io/metadata/audio_loss.h"
#include "run/clipping.h"
#include "run/output_metadata.h"

#include <stdlib.h>
#include <string.h>

static int check_output(const struct gf_tee_writers *t, const char *name, struct gf_error *err)
{
    return gf_path_same(name, t->output)
        ? gf_fail(err, GF_MISUSED, "tee: %s is also the output; choose another name", name)
        : 0;
}

/* Neither the output nor another tee may go to the same file. */
static int check_name(const struct gf_tee_writers *t, int i, const char *name, struct gf_error *err)
{
    if (check_output(t, name, err) != 0)
        return -1;
    for (int k = 0; k < i; k++)
        if (t->writer[k] != NULL && gf_path_same(name, t->writer[k]->name))
            return gf_fail(err, GF_MISUSED, "tee: another tee already writes %s; choose another name", name);
    return 0;
}

static int open_tee(struct gf_tee_writers *t, int i, const struct gf_link *link, int64_t signal,
                    struct gf_error *err)
{
    struct gf_write_options options = *t->options;
    const struct gf_output_names names = { .text = link->file, .many = t->number > 0 };
    struct gf_filled_name name;
    int result = -1;

    if (gf_output_names_one(&names, t->input, names.many ? t->number : (int)signal, t->notices, &name, err) != 0)
        return -1;
    free(t->root[i]);
    t->root[i] = name.root;
    options.to = NULL;                       /* --to is for the output only */
    options.notices = t->notices;
    options.root = name.root;
    options.ledger = t->ledger;
    t->numbered[i] = options.numbered = gf_output_names_numbered(&names);
    if (check_name(t, i, name.name, err) == 0)
        t->writer[i] = gf_writer_open(name.name, &options, &link->out, false, err);
    if (t->writer[i] != NULL && gf_video_checks_fields(&link->out, t->writer[i], t->numbered[i], err) == 0) {
        gf_output_names_warn_redirected(t->writer[i]);
        result = 0;
    }
    free(name.name);
    return result;
}

int gf_tee_writers_open(struct gf_tee_writers *t, struct gf_worker *w, int64_t signal, struct gf_error *err)
{
    t->count = 0;
    for (int i = 0; i < w->binding.links; i++) {
        if (w->binding.link[i].kind != GF_LINK_TEE)
            continue;
        if ((t->writer[t->count] == NULL ? open_tee(t, t->count, &w->binding.link[i], signal, err)
                                         : check_output(t, t->writer[t->count]->name, err)) != 0)
            return -1;
        if (gf_worker_fit_tee(w, i, t->writer[t->count], err) != 0)
            return -1;
        t->count++;
    }
    return 0;
}

int gf_tee_writers_make_metadata(struct gf_tee_writers *t, const struct gf_worker *w, const struct gf_reader *r,
                                 struct gf_error *err)
{
    int k = 0;

    for (int i = 0; i < w->binding.links; i++) {
        const struct gf_link *link = &w->binding.link[i];
        struct gf_output_of output = { .binding = &w->binding, .tee = link, .stored = &link->stored };

        if (link->kind != GF_LINK_TEE)
            continue;
        output.writer = t->writer[k];
        if (gf_output_metadata_make(&t->meta[k], r, &output, err) != 0)
            return -1;
        gf_output_metadata_warn(&t->meta[k], r, t->writer[k], &link->stored);
        if (r->format.kind == GF_AUDIO) {
            t->writer[k]->change = gf_output_metadata_audio(&w->binding, link);
            gf_audio_loss_warn(r, t->writer[k], false);
            gf_audio_loss_warn_layout(r, t->writer[k], link->stored.channels);
        }
        k++;
    }
    return 0;
}

int gf_tee_writers_begin(struct gf_tee_writers *t, const struct gf_worker *w, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    int k = 0;

    for (int i = 0; i < w->binding.links; i++) {
        if (w->binding.link[i].kind != GF_LINK_TEE)
            continue;
        t->writer[k]->meta = &t->meta[k];
        if (gf_timed_io_begin(&timed, t->writer[k++], &w->binding.link[i].stored, err) != 0)
            return -1;
    }
    return 0;
}

static int commit_tee(struct gf_tee_writers *t, int k, struct gf_worker *w, struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);
    const int result = gf_timed_io_commit(&timed, t->writer[k], err);

    gf_writer_close(t->writer[k]);
    t->writer[k] = NULL;
    return result;
}

int gf_tee_writers_end(struct gf_tee_writers *t, const struct gf_worker *w, const struct gf_run_results *results,
                       struct gf_error *err)
{
    const struct gf_timed_io timed = gf_worker_timed_io(w);

    for (int k = 0; k < t->count; k++) {
        t->clipped[k] += results->tee_clipped[k];
        if (gf_timed_io_end(&timed, t->writer[k], err) != 0)
            return -1;
    }
    return 0;
}

void gf_tee_writers_warn(const struct gf_tee_writers *t)
{
    for (int k = 0; k < t->count; k++)
        if (t->writer[k] != NULL)
            gf_clipping_warn(t->notices, t->writer[k]->name, t->clipped[k], NULL, 0);
}

bool gf_tee_writers_numbered(const struct gf_tee_writers *t)
{
    for (int k = 0; k < t->count; k++)
        if (t->writer[k] != NULL && t->numbered[k])
            return true;
    return false;
}

int gf_tee_writers_commit(struct gf_tee_writers *t, struct gf_worker *w, bool all, struct gf_error *err)
{
    gf_tee_writers_warn(t);
    if (gf_notices_check(t->notices, err) != 0)
        return -1;
    for (int k = 0; k < t->count; k++)
        if (t->writer[k] != NULL && (all || t->numbered[k]) && commit_tee(t, k, w, err) != 0)
            return -1;
    return 0;
}

void gf_tee_writers_close(struct gf_tee_writers *t)
{
    for (int k = 0; k < GF_CHAIN_TEES; k++) {
        gf_writer_close(t->writer[k]);
        t->writer[k] = NULL;
        gf_meta_release(&t->meta[k]);
        free(t->root[k]);
        t->root[k] = NULL;
    }
}
