/* From a request to a result. */
#include "run.h"

#include "batch.h"
#include "report.h"

static int collect(const struct gf_request *request, struct gf_batch *b, struct gf_error *err)
{
    b->many = request->input_count > 1;
    for (int i = 0; i < request->input_count; i++)
        if (gf_batch_add(b, request->inputs[i], err) != 0)
            return -1;
    if (request->files_from != NULL && gf_batch_add_list(b, request->files_from, request->nul, err) != 0)
        return -1;
    if (request->shard_count > 0)
        gf_batch_shard(b, request->shard, request->shard_count);
    return 0;
}

int gf_run_request(const struct gf_request *request, struct gf_error *err)
{
    struct gf_setting setting = { .words = request->words, .word_count = request->word_count, .limits = request->limits,
                                  .where = request->where, .gpus = request->cuda };
    struct gf_batch batch = { .output = request->output, .to = request->write.to, .update = request->update,
                              .fail_fast = request->fail_fast };
    const struct gf_file_options options = { &request->read, &request->write, request->explain, request->verbose && !request->quiet,
                                             gf_batch_is_folder(&batch) && request->write.to == NULL };
    struct gf_worker *words = gf_worker_new(&setting, &setting.limits, -1, err);     /* wrong words come before missing files */
    int64_t signals = 0;
    int result = -1;

    if (words == NULL)
        return -1;
    gf_worker_free(words);
    if (request->stats)
        setting.report = gf_report_new();
    if (collect(request, &batch, err) == 0 && gf_setting_find_devices(&setting, err) == 0)
        result = gf_batch_run(&batch, &setting, &options, &signals, err);
    if (result == 0 && setting.report != NULL)
        gf_report_print(setting.report, signals, request->stats_json, stderr);
    gf_batch_release(&batch);
    gf_report_free(setting.report);
    return result;
}
