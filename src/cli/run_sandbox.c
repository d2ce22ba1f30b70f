/*
 * Confines a run to its own files before it reads any input. It may read the inputs and the files
 * that stages name. It may write below the folders of its outputs, and temporary files.
 */
#define _GNU_SOURCE
#include "cli/run_sandbox.h"

#include "base/leave.h"
#include "base/path.h"
#include "base/sandbox.h"
#include "base/spool.h"
#include "base/terminal.h"
#include "base/words.h"
#include "batch/album.h"
#include "device/driver_files.h"
#include "device/rates.h"
#include "device/stay/stay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_SKIPPED 100                 /* inputs without a number before one whose number names a file of a stage */

/* The files of a run, while they are added to its sandbox. */
struct run_files {
    struct gf_sandbox box;
    const struct gf_request *request;
    const struct gf_batch *batch;
};

static void allow_input(struct gf_sandbox *s, const char *path)
{
    if (strcmp(path, "-") != 0)
        gf_sandbox_allow(s, path, GF_SANDBOX_READ);
}

/*
 * Returns true if input i is of another shard, which this run neither reads nor writes. Files of folders have no
 * final numbers yet: their unknown ones are found and dropped in the sandbox.
 */
static bool is_foreign(const struct run_files *f, int i)
{
    const int shards = f->request->shard_count;

    return shards > 0 && f->batch->searches == 0 && i % shards != f->request->shard - 1;
}

/* ---- outputs ---- */

/*
 * Allows a folder, and creates it if it is missing, because its parent has other files. It stays, even if no output
 * comes into it: another run may have begun to use it, and its sandbox would not allow a folder that is created again.
 */
static int allow_creation(struct run_files *f, const char *folder, struct gf_error *err)
{
    char *inside;
    int result;

    if (access(folder, F_OK) != 0 && !f->request->explain && f->box.rules >= 0) {
        if (asprintf(&inside, "%s/", folder) < 0)
            return gf_fail_memory(err, folder);
        result = gf_path_make_folders(inside, NULL, f->batch->notices, err);
        free(inside);
        if (result != 0)
            return -1;
    }
    gf_sandbox_allow(&f->box, folder, GF_SANDBOX_CREATE);
    return 0;
}

/* Returns the folder that an output appears in, or NULL with errno. */
static char *folder_of(const char *path, const char *root)
{
    char *target, *folder;

    if (root != NULL)
        return strdup(root);
    target = gf_path_resolve_links(path);
    folder = target != NULL ? gf_path_beside(target, ".") : NULL;
    free(target);
    return folder;
}

/* A link that leads to a missing file may be a trap of someone who can write to the folder. */
static int refuse_trap(const struct run_files *f, const char *path, struct gf_error *err)
{
    struct stat st;

    if (!f->request->untrusted || access(path, F_OK) == 0 || lstat(path, &st) != 0 || !S_ISLNK(st.st_mode))
        return 0;
    return gf_fail(err, GF_FAILED, "%s: is a link to a missing file, which --untrusted does not create; delete the "
                   "link", path);
}

/* Allows a device or named pipe that is an output. Returns false if it is none. */
static bool allow_special(struct run_files *f, const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))
        return false;
    gf_sandbox_allow(&f->box, path, GF_SANDBOX_WRITE);
    return true;
}

/*
 * Allows an output: the folder that it appears in, or a device or named pipe itself. `root` is the
 * folder of several outputs, which others may need even if this one is a device or named pipe, or
 * NULL. It is not allowed again if that is `done`.
 */
static int allow_output(struct run_files *f, const char *path, const char *root, bool done, struct gf_error *err)
{
    char *folder;
    int result;

    if (gf_path_is_standard(path) || gf_path_descriptor(path) >= 0 || gf_writer_is_terminal(path))
        return 0;
    if (allow_special(f, path))
        done |= root == NULL;
    else if (refuse_trap(f, path, err) != 0)
        return -1;
    if (done)
        return 0;
    folder = folder_of(path, root);
    if (folder == NULL)                      /* the writer reports links that lead nowhere */
        return errno == ENOMEM ? gf_fail_memory(err, path) : 0;
    result = allow_creation(f, folder, err);
    free(folder);
    return result;
}

/* Allows a timeline. A missing folder is an error, which is reported later. */
static int allow_trace(struct run_files *f, const char *path, struct gf_error *err)
{
    char *folder = path != NULL ? folder_of(path, NULL) : NULL;
    const bool missing = folder != NULL && access(folder, F_OK) != 0;

    free(folder);
    return path == NULL || missing ? 0 : allow_output(f, path, NULL, false, err);
}

/* Allows the outputs of all inputs. Consecutive ones in one folder need it only once. */
static int allow_outputs(struct run_files *f, const struct gf_output_names *names, struct gf_error *err)
{
    const struct gf_batch *b = f->batch;
    const int count = b->count > 0 && !gf_output_names_differ(names) ? 1 : b->count;
    char *root = NULL;
    int result = 0;

    for (int i = 0; result == 0 && i < count; i++) {
        struct gf_filled_name filled;

        if (count > 1 && is_foreign(f, i))
            continue;
        result = gf_output_names_one(names, b->inputs[i], b->bases[i], b->many ? i + 1 : 0, NULL, &filled, err);
        if (result != 0)
            break;
        result = gf_output_names_check_extension(names, filled.name, err);      /* before its folder is created */
        if (result == 0)
            result = allow_output(f, filled.name, filled.root, root && filled.root && strcmp(root, filled.root) == 0,
                                  err);
        free(root);
        root = filled.root;
        filled.root = NULL;
        gf_filled_name_release(&filled);
    }
    free(root);
    return result;
}

/* ---- files of stages ---- */

/*
 * Allows a file that a stage reads. Its name may depend on the input. Inputs with an unknown extension
 * may turn out to be neither images nor audio, and are then skipped, which lowers the next numbers.
 */
static int allow_side(struct run_files *f, const char *name, struct gf_error *err)
{
    const struct gf_batch *b = f->batch;
    const bool numbered = gf_name_pattern_has_number(name);
    int doubtful = 0;

    if (!gf_name_pattern_has_fields(name)) {
        allow_input(&f->box, name);
        return 0;
    }
    for (int i = 0; i < b->count; i++) {
        for (int k = 0; k <= doubtful; k++) {
            char *filled = gf_name_pattern_fill(name, b->inputs[i], b->bases[i], b->many ? i + 1 - k : 0);

            if (filled == NULL)
                return gf_fail_memory(err, name);
            allow_input(&f->box, filled);
            free(filled);
        }
        doubtful += numbered && doubtful < MOST_SKIPPED && gf_reader_kinds(b->inputs[i]) == 0;
    }
    return 0;
}

static int allow_option(struct run_files *f, const struct gf_option *row, const void *value, struct gf_error *err)
{
    const struct gf_mask *mask = value;
    const char *file = row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT ? *(char *const *)value : NULL;
    const struct gf_output_names names = { .text = file, .many = f->batch->many };

    if (row->type == GF_OPTION_MASK && mask->file != NULL)
        allow_input(&f->box, mask->file);
    if (file == NULL)
        return 0;
    return row->type == GF_OPTION_INPUT ? allow_side(f, file, err) : allow_outputs(f, &names, err);
}

static int allow_stages(struct run_files *f, const struct gf_chain *chain, struct gf_error *err)
{
    for (int i = 0; i < chain->count * 2; i++) {
        const struct gf_chain_word *word = &chain->word[i / 2];
        const struct gf_stage *stage = word->stage[i % 2];

        for (const struct gf_option *row = stage ? stage->options : NULL; row != NULL && row->name != NULL; row++)
            if (allow_option(f, row, (const char *)word->config[i % 2] + row->offset, err) != 0)
                return -1;
    }
    return 0;
}

/* ---- all of them ---- */

/* Returns true if the run may ask for a GPU. It stores the answer, also that there is none. */
static bool may_ask_gpu(const struct gf_request *q)
{
    return q->where != GF_CPU && gf_device_cuda.missing == NULL;
}

/*
 * Allows the speeds of devices that are kept between runs. A run that stores some needs a folder
 * that exists now; it is deleted at the end if it is still empty.
 */
static void allow_rates(struct gf_sandbox *s, bool stores)
{
    char folder[4096], *slash;

    if (!gf_rates_folder(folder, sizeof folder, stores))
        return;
    gf_sandbox_allow(s, folder, stores ? GF_SANDBOX_TEMPORARY : GF_SANDBOX_READ);
    slash = strrchr(folder, '/');
    if (!stores || slash == NULL)
        return;
    *slash = '\0';
    gf_sandbox_allow(s, folder, GF_SANDBOX_TIDY);
}

void gf_run_sandbox_tidy(const struct gf_request *q)
{
    if (may_ask_gpu(q) && !q->no_sandbox)
        gf_rates_tidy();
}

/*
 * Allows input i of a search in folders in folders: the folder with all that is in it, because a rule for each of many
 * files takes seconds, and the target of a link. `before` is an input whose folder is allowed, or NULL.
 */
static int allow_below(struct run_files *f, int i, const char *before, struct gf_error *err)
{
    const char *path = f->batch->inputs[i];
    const int base = f->batch->bases[i];
    struct stat st;
    char *folder;

    if (lstat(path, &st) != 0 || S_ISLNK(st.st_mode))
        allow_input(&f->box, path);
    if (before != NULL && strncmp(before, path, (size_t)base) == 0)
        return 0;
    folder = base > 0 ? strndup(path, (size_t)base) : strdup(".");
    if (folder == NULL)
        return gf_fail_memory(err, path);
    gf_sandbox_allow(&f->box, folder, GF_SANDBOX_READ);
    free(folder);
    return 0;
}

/* Allows the inputs of this run. An album measures those of all shards. */
static int allow_inputs(struct run_files *f, const struct gf_chain *chain, struct gf_error *err)
{
    const struct gf_batch *b = f->batch;
    const bool album = gf_album_used(chain);

    /* a rule for each file of a folder without -R, because a rule for the folder would also allow its subfolders */
    for (int i = 0; i < b->count; i++) {
        const bool again = i > 0 && b->bases[i] == b->bases[i - 1];

        if (b->bases[i] < 0 && (album || !is_foreign(f, i)))
            allow_input(&f->box, b->inputs[i]);
        else if (b->bases[i] >= 0 && allow_below(f, i, again ? b->inputs[i - 1] : NULL, err) != 0)
            return -1;
    }
    return 0;
}

/* Allows all files of the run. */
static int allow_files(struct run_files *f, const struct gf_chain *chain, struct gf_error *err)
{
    const struct gf_request *q = f->request;

    if (allow_inputs(f, chain, err) != 0)
        return -1;
    allow_rates(&f->box, may_ask_gpu(q));
    gf_sandbox_allow(&f->box, gf_spool_folder(), gf_spool_needs_names() ? GF_SANDBOX_TEMPORARY : GF_SANDBOX_WRITE);
    if (allow_trace(f, q->trace_json, err) != 0 || allow_trace(f, q->trace_svg, err) != 0
        || allow_outputs(f, &f->batch->names, err) != 0)
        return -1;
    return allow_stages(f, chain, err);
}

/* Prepares and enters the sandbox. *whole becomes true if both of its parts work. */
static int enter(struct run_files *f, const struct gf_chain *chain, char *text, size_t room, bool *whole,
                 struct gf_error *err)
{
    const struct gf_request *q = f->request;
    const bool gpu = may_ask_gpu(q) && gf_driver_files_exist() && !gf_stay_is_used();
    /*
     * The second process shares descriptors, and its start opens a call that creates processes, so with
     * --untrusted only a GPU is worth it.
     */
    const struct gf_sandbox_needs needs = { .gpu = gpu, .connects = gpu && gf_driver_files_mps(),
                                            .helper = (gpu || !q->untrusted) && gf_leave_wants_process(gpu),
                                            .stays = gf_stay_is_used(),
                                            .required = q->untrusted || q->sandbox };
    int result;

    gf_sandbox_begin(&f->box);
    if (gpu)
        gf_driver_files_allow(&f->box, !q->untrusted);
    result = allow_files(f, chain, err);
    if (result == 0 && f->box.failed != 0)               /* a complete sandbox needs all of its rules */
        result = gf_fail(err, GF_FAILED, "sandbox: %s%s", strerror(f->box.failed),
                         f->box.failed == EMFILE ? "; raise the limit of open files (ulimit -n)" : "");
    if (result == 0)
        *whole = gf_sandbox_enter(&f->box, &needs, text, room);
    else
        gf_sandbox_release(&f->box);
    return result;
}

static void print_limits(const struct gf_request *q)
{
    char input[40], working[40], output[40];

    gf_bytes_text(q->read.max_bytes, input);
    gf_bytes_text(q->limits.memory_bytes, working);
    gf_bytes_text(q->max_output, output);
    gf_terminal_print("limits: --max-pixels %lld, --max-memory %s, --memory %s, --max-output %s, --max-seconds %d\n",
                      (long long)q->read.max_pixels, input, working, output, q->limits.max_seconds);
}

int gf_run_sandbox_enter(const struct gf_request *q, const struct gf_chain *chain, const struct gf_batch *b,
                         struct gf_error *err)
{
    struct run_files files = { .request = q, .batch = b };
    char text[200] = "off, because of --no-sandbox";
    bool whole = false;

    if (!q->no_sandbox && enter(&files, chain, text, sizeof text, &whole, err) != 0)
        return -1;
    if ((q->untrusted || q->sandbox) && !whole)
        return gf_fail(err, GF_FAILED, "--%s: incomplete sandbox (%s); use Linux 5.13 or later with Landlock "
                                       "and seccomp, or a container that allows them",
                       q->untrusted ? "untrusted" : "sandbox", text);
    if (q->verbose && !q->quiet)
        gf_terminal_print("sandbox: %s\n", text);
    if (q->untrusted && q->verbose && !q->quiet)
        print_limits(q);
    return 0;
}
