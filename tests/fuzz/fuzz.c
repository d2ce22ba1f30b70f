/* The fuzz targets in one program: its name, an argument or the environment chooses one of them. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A target of readers; the formats that option 1 chooses from follow the name. */
#define READ(word, ...)  \
    { .name = word, .options = 2, .run = gf_fuzz_read, .mutate = gf_fuzz_mutate_file, .formats = { __VA_ARGS__ } }

static const struct gf_fuzz_target targets[] = {
    READ("png", "png"),
    READ("jpeg", "jpeg"),
    READ("tiff", "tiff"),
    READ("webp", "webp"),
    READ("gif", "gif"),
    READ("raster", "bmp", "tga", "psd", "qoi", "pic", "hdr"),
    READ("pnm", "pnm", "pfm", "y4m", "raw:size=7x5,channels=3,type=u16be", "raw:rate=8000,channels=2,type=s24",
          "raw:type=f64"),
    READ("wav", "wav", "rf64", "w64", "au", "caf", "aiff"),
    READ("audio", "flac", "ogg", "opus", "mp3", "nist", "svx", "voc", "aifc"),
    READ("any", NULL),
    { .name = "convert", .options = 6, .run = gf_fuzz_convert, .mutate = gf_fuzz_mutate_file },
    { .name = "chain", .options = 4, .run = gf_fuzz_chain, .mutate = gf_fuzz_mutate_stages },
    { .name = "named", .options = 4, .run = gf_fuzz_named, .mutate = gf_fuzz_mutate_stages },
    { .name = "mask", .options = 4, .run = gf_fuzz_mask, .mutate = gf_fuzz_mutate_file },
    { .name = "side", .options = 4, .run = gf_fuzz_side, .mutate = gf_fuzz_mutate_file },
    { .name = "arrays", .options = 16, .run = gf_fuzz_arrays, .mutate = gf_fuzz_mutate_stages },
    { .name = "messages", .options = 2, .run = gf_fuzz_messages },
    { .name = "arguments", .options = 0, .run = gf_fuzz_arguments, .mutate = gf_fuzz_mutate_arguments },
    { .name = NULL },
};

static const struct gf_fuzz_target *chosen;
static char **arguments;                 /* those of the program, changed */

/* Leaks in other projects' libraries; tests/leaks.supp has the reasons. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:vorbis_encode_setup_init\nleak:vorbis_info_init\nleak:lame_init\n";
}


bool gf_fuzz_choose(const char *name)
{
    for (const struct gf_fuzz_target *t = targets; t->name != NULL; t++)
        if (name != NULL && strcmp(name, t->name) == 0) {
            chosen = t;
            return true;
        }
    return false;
}

const struct gf_fuzz_target *gf_fuzz_chosen(void)
{
    return chosen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= chosen->options)
        return 0;
    chosen->run(chosen, data, data + chosen->options, size - chosen->options);
    return 0;
}

/* Half of the changes keep the structure of the input; the options change less often. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    const size_t options = chosen->options;
    const unsigned choice = seed % 8;
    size_t changed = 0;

    if (size <= options || most <= options || choice == 7)
        return gf_fuzz_mutate_bytes(data, size, most);
    if (choice < 4 && chosen->mutate != NULL)
        changed = chosen->mutate(data + options, size - options, most - options, seed / 8 * 2654435761u >> 4);
    if (changed == 0)
        changed = gf_fuzz_mutate_bytes(data + options, size - options, most - options);
    return options + changed;
}

/* Lets libFuzzer write its findings to this folder, because runs change the working folder. */
static void set_findings(int *argc, char ***argv)
{
    static char prefix[5000] = "-artifact_prefix=";
    char *end = prefix + strlen(prefix);

    arguments = calloc((size_t)*argc + 2, sizeof *arguments);
    if (arguments == NULL || getcwd(end, 4096) == NULL)
        exit(1);
    strcat(end, "/");
    arguments[0] = (*argv)[0];
    arguments[1] = prefix;
    for (int i = 1; i < *argc; i++)
        arguments[i + 1] = (*argv)[i];
    *argv = arguments;
    ++*argc;
}

/*
 * The target is the part of the program's name after the last dash, as in fuzz-png, or the first argument,
 * or GPUFILTER_FUZZ_TARGET. The environment passes it on to processes that libFuzzer starts.
 */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *dash = strrchr((*argv)[0], '-');

    if (!gf_fuzz_choose(dash != NULL ? dash + 1 : NULL) && !gf_fuzz_choose(getenv("GPUFILTER_FUZZ_TARGET"))) {
        if (*argc < 2 || !gf_fuzz_choose((*argv)[1])) {
            fprintf(stderr, "usage: %s TARGET ...; the targets are", (*argv)[0]);
            for (const struct gf_fuzz_target *t = targets; t->name != NULL; t++)
                fprintf(stderr, " %s", t->name);
            fprintf(stderr, "\n");
            exit(2);
        }
        memmove(*argv + 1, *argv + 2, sizeof **argv * (size_t)(*argc - 1));
        --*argc;
        setenv("GPUFILTER_FUZZ_TARGET", chosen->name, 1);
    }
    if (gf_fuzz_is_libfuzzer())
        set_findings(argc, argv);
    gf_fuzz_prepare();
    return 0;
}
