/* Shared by the fuzz targets: the table of targets, inputs in memory, runs of the whole program. */
#ifndef GF_TESTS_FUZZ_H
#define GF_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An input of a target begins with `options` bytes that choose what is done; the rest is a file or a text. */
struct gf_fuzz_target {
    const char *name;
    size_t options;
    void (*run)(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
    size_t (*mutate)(uint8_t *data, size_t size, size_t most, unsigned seed);    /* NULL: only bytes */
    /* formats of `read`: option 1 chooses one of them, or detection by content; NULL ends the list */
    const char *formats[12];
};

/* Chooses the target by its name. Returns false if there is none. */
bool gf_fuzz_choose(const char *name);
const struct gf_fuzz_target *gf_fuzz_chosen(void);
/* Prepares the process: standard input and output, the folder for outputs, the environment. */
void gf_fuzz_prepare(void);

/* The interface of libFuzzer, which AFL++ and the program for replays also call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* A file in memory that has a name: /proc/self/fd/N. */
struct gf_fuzz_file {
    int fd;                              /* 0: not created yet */
    char path[32];
};

void gf_fuzz_file_put(struct gf_fuzz_file *file, const void *bytes, size_t size);
/* Makes a pipe that contains the bytes. Returns false if they do not fit. Close it after use. */
bool gf_fuzz_pipe_put(struct gf_fuzz_file *file, const void *bytes, size_t size);
void gf_fuzz_pipe_close(struct gf_fuzz_file *file);
/* Enters the folder for outputs; leaving it deletes all files in it. */
void gf_fuzz_folder_enter(void);
void gf_fuzz_folder_leave(void);
/* Gets the bytes of standard output in memory to be freed, and empties it. */
uint8_t *gf_fuzz_output_take(size_t *size);
void gf_fuzz_output_empty(void);

/* Arguments of the program. Words that do not fit are left out. */
struct gf_fuzz_words {
    int count;
    char *word[96];
};

void gf_fuzz_words_add(struct gf_fuzz_words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Adds the lines of a text. A slash becomes an underscore, so that only files in memory and in the
 * folder for outputs can be named; % becomes the path of `file`.
 */
void gf_fuzz_words_split(struct gf_fuzz_words *w, const uint8_t *text, size_t size, const struct gf_fuzz_file *file);
void gf_fuzz_words_free(struct gf_fuzz_words *w);
struct gf_format;
/* Returns true if the words are a chain that is little work for such a signal. */
bool gf_fuzz_is_small(const struct gf_fuzz_words *w, const struct gf_format *signal);
/* Runs the program in this process, on the CPU. Returns its exit status. */
int gf_fuzz_program(const struct gf_fuzz_words *w);

/* The targets. */
void gf_fuzz_read(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_convert(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_chain(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_named(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_mask(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_side(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_arrays(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_messages(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);
void gf_fuzz_arguments(const struct gf_fuzz_target *target, const uint8_t *option, const uint8_t *data, size_t size);

/*
 * Ways of mutation. Each changes the structure of what it recognises, and repairs lengths and
 * checksums. It returns the new size, or 0 if it does not recognise the structure.
 */
size_t gf_fuzz_mutate_file(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t gf_fuzz_mutate_tiff(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t gf_fuzz_mutate_stages(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t gf_fuzz_mutate_arguments(uint8_t *data, size_t size, size_t most, unsigned seed);
/* Returns true if libFuzzer drives the targets. */
bool gf_fuzz_is_libfuzzer(void);
/* Changes bytes as libFuzzer likes; returns the new size. */
size_t gf_fuzz_mutate_bytes(uint8_t *data, size_t size, size_t most);

#endif
