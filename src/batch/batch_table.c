/*
 * The output for one table of many inputs: opens it,
 * and checks whether an existing one can be kept.
 */
#include "base/path.h"
#include "batch/batch.h"

#include <string.h>
#include <unistd.h>

/* A placeholder: the writer of a table does not depend on the signal. */
static const struct gf_format any_signal = { .kind = GF_IMAGE };

int gf_batch_open_table(const struct gf_batch *b, const struct gf_write_options *options, struct gf_writer **writer,
                        struct gf_error *err)
{
    struct gf_write_options write = *options;

    *writer = NULL;
    if (!b->many || b->ends == GF_ENDS_SIGNAL || gf_output_names_differ(&b->names))
        return 0;
    if (write.rate[0] > 0)
        return gf_fail(err, GF_MISUSED,
                       "--rate: only Y4M video has a frame rate, and the result of these stages is a table");
    write.keep = false;                  /* gf_batch_has_table() checks existing files */
    write.drawing = b->ends == GF_ENDS_DRAWING;
    *writer = gf_writer_open(b->names.text, &write, &any_signal, true, err);
    if (*writer == NULL)
        return -1;
    if ((*writer)->ops->tables != NULL)
        return 0;
    gf_writer_close(*writer);
    *writer = NULL;
    return b->count < 2 ? 0
                        : gf_fail(err, GF_MISUSED,
                                  "a drawing shows only one input; use -o FOLDER/ for one drawing of each, "
                                  "or write one TSV, CSV or JSON table of all inputs (-o all.tsv or --to tsv)");
}

bool gf_batch_has_table(const struct gf_batch *b, bool keep)
{
    bool newer = b->update;

    if (strcmp(b->names.text, "-") == 0)
        return false;
    for (int i = 0; newer && i < b->count; i++)
        newer = gf_path_is_newer(b->names.text, b->inputs[i]);
    return newer || (keep && access(b->names.text, F_OK) == 0);
}
