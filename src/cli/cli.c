/* Reads the command line as GNU getopt would, from the table of options in cli_options.c. */
#include "cli/cli.h"

#include "base/elementary.h"
#include "base/path.h"
#include "base/words.h"
#include "chain/named_files.h"
#include "chain/option.h"
#include "cli/cli_options.h"
#include "cli/cli_translate.h"
#include "cli/cli_unknown.h"
#include "io/hardened.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits by default: --max-pixels and --max-memory. */
#define MAX_PIXELS 4e9
#define MAX_BYTES  (INT64_C(16) << 30)
/* --untrusted lowers them, and sets --memory, --max-seconds and --max-output. */
#define UNTRUSTED_PIXELS  64e6
#define UNTRUSTED_BYTES   (INT64_C(512) << 20)
#define UNTRUSTED_SECONDS 60
#define UNTRUSTED_OUTPUT  (INT64_C(1) << 30)

/* Reads a whole number and multiplies it. Returns true if the result is in the row's range. */
static bool read_whole(const struct gf_cli_option *row, const char *text, double factor, double *number)
{
    if (gf_parse_number(text, number) != 0)
        return false;
    *number *= factor;
    return floor(*number) == *number && *number >= row->least && *number <= row->most;
}

static int parse_int(const struct gf_cli_option *row, const char *value, int *result, struct gf_error *err)
{
    double number;

    if (!read_whole(row, value, 1, &number))
        return gf_fail(err, GF_MISUSED, "--%s: must be a whole number from %.10g to %.10g, not '%s'",
                       row->name, row->least, row->most, value);
    *result = (int)number;
    return 0;
}

/* Reads a count, with K, M or G, or small letters, for 10^3, 10^6 or 10^9. */
static int parse_count(const struct gf_cli_option *row, const char *value, int64_t *count, struct gf_error *err)
{
    static const char suffixes[] = "KMG";
    const size_t length = strlen(value);
    const char *suffix = length > 0 ? strchr(suffixes, toupper((unsigned char)value[length - 1])) : NULL;
    char digits[64];
    double number;

    snprintf(digits, sizeof digits, "%.*s", (int)(length - (suffix != NULL)), value);
    if (length >= sizeof digits
        || !read_whole(row, digits, suffix != NULL ? gf_pow(1000, (double)(suffix - suffixes + 1)) : 1, &number))
        return gf_fail(err, GF_MISUSED, "--%s: must be a whole number of %.10g or more, as in 500M, not '%s'",
                       row->name, row->least, value);
    *count = (int64_t)number;
    return 0;
}

/* Finds the index of `value` in choices such as "off|fields". */
static int parse_choice(const struct gf_cli_option *row, const char *value, int *number, struct gf_error *err)
{
    char text[80] = "";
    const char *at = row->argument;

    for (*number = 0; at != NULL; ++*number) {
        const size_t word = strcspn(at, "|");
        const char *next = at[word] != '\0' ? at + word + 1 : NULL;

        if (strlen(value) == word && strncmp(at, value, word) == 0)
            return 0;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.*s", *number == 0 ? "" : next != NULL ? ", "
                 : " or ", (int)word, at);
        at = next;
    }
    return gf_fail(err, GF_MISUSED, "--%s: must be %s, not '%s'", row->name, text, value);
}

static bool informs(enum gf_ask ask)
{
    return ask == GF_ASK_HELP || ask == GF_ASK_VERSION;
}

/* Stores the kind of request. --help and --version win over other kinds, of which there may be only one. */
static int set_request(const struct gf_cli_option *row, const char *value, struct gf_request *r, struct gf_error *err)
{
    int choice;

    if (row->argument != NULL && !row->optional && parse_choice(row, value, &choice, err) != 0)
        return -1;
    if (r->asked != NULL && informs(r->ask) && !informs(row->ask))
        return 0;
    if (r->asked != NULL && r->ask != row->ask && !informs(row->ask))
        return gf_fail(err, GF_MISUSED, "--%s and --%s cannot be combined; choose one", r->asked, row->name);
    r->asked = row->name;
    r->ask = row->ask;
    r->topic = value;
    return 0;
}

/* Stores an option in the request. `value` is NULL if it has none. */
static int apply_option(const struct gf_cli_option *row, const char *value, struct gf_request *r, struct gf_error *err)
{
    void *member = (char *)r + row->offset;
    int choice;

    switch (row->type) {
    case GF_CLI_FLAG:
        *(bool *)member = true;
        return 0;
    case GF_CLI_INT:
        return parse_int(row, value, member, err);
    case GF_CLI_COUNT:
        return parse_count(row, value, member, err);
    case GF_CLI_BYTES:
        if (gf_parse_bytes(value, member) != 0 || (double)*(int64_t *)member < row->least)
            return gf_fail(err, GF_MISUSED, "--%s: must be a size of %s or more, as in %s256M or 2G, not '%s'",
                           row->name, row->least >= 1 << 20 ? "1M" : "1", row->least >= 1 << 20 ? "" : "64K, ", value);
        return 0;
    case GF_CLI_TEXT:
        if (*value == '\0')
            return gf_fail(err, GF_MISUSED, "--%s: the value is empty; it must be a %s", row->name, row->argument);
        if (row->once && *(const char **)member != NULL)
            return gf_fail(err, GF_MISUSED, "--%s is given twice, %s and %s; tee:FILE writes to a second file",
                           row->name, *(const char **)member, value);
        *(const char **)member = value;
        return 0;
    case GF_CLI_CHOICE:
        if (parse_choice(row, value, &choice, err) != 0)
            return -1;
        *(int *)member = row->values[choice];
        return 0;
    case GF_CLI_ASK:
        return set_request(row, value, r, err);
    default:
        return row->set(r, value, err);
    }
}

/* Finds the long option argv[at] by its name, or by the start of its name if only one begins so. */
static const struct gf_cli_option *find_long(const struct gf_cli_program *program, char *const *argv, int at,
                                             size_t length, struct gf_error *err)
{
    const char *name = argv[at] + 2;
    const struct gf_cli_option *found = NULL;

    for (const struct gf_cli_option *row = program->options; row->name != NULL; row++) {
        if (strncmp(row->name, name, length) != 0)
            continue;
        if (row->name[length] == '\0')
            return row;
        if (length == 0 || row->text == NULL)
            continue;
        if (found != NULL) {
            gf_fail(err, GF_MISUSED, "option --%.*s is ambiguous: --%s or --%s", (int)length, name,
                    found->name, row->name);
            return NULL;
        }
        found = row;
    }
    if (found == NULL)
        gf_cli_unknown_option(program, argv, at, length, err);
    return found;
}

/* Stores an option whose value, if it needs one, is the next argument. *at becomes the index of its last argument. */
static int apply_next(const struct gf_cli_option *row, const char *written, char **argv, int *at,
                      struct gf_request *r, struct gf_error *err)
{
    if (row->argument == NULL || row->optional)
        return apply_option(row, NULL, r, err);
    if (argv[*at + 1] == NULL)
        return gf_fail(err, GF_MISUSED, "option %s needs a value: %s", written, row->argument);
    return apply_option(row, argv[++*at], r, err);
}

/* Reads the long option argv[*at]. */
static int parse_long(const struct gf_cli_program *program, char **argv, int *at, struct gf_request *r,
                      struct gf_error *err)
{
    const char *name = argv[*at] + 2;
    const size_t length = strcspn(name, "=");
    const struct gf_cli_option *row = find_long(program, argv, *at, length, err);
    char written[64];

    if (row == NULL)
        return -1;
    if (name[length] == '\0') {
        snprintf(written, sizeof written, "--%s", row->name);
        return apply_next(row, written, argv, at, r, err);
    }
    if (row->argument == NULL)
        return gf_fail(err, GF_MISUSED, "option --%s takes no value", row->name);
    return apply_option(row, name + length + 1, r, err);
}

/* Reads an argument of short options: -qv, -j4, -j 4. */
static int parse_short(const struct gf_cli_program *program, char **argv, int *at, struct gf_request *r,
                       struct gf_error *err)
{
    for (const char *letter = argv[*at] + 1; *letter != '\0'; letter++) {
        const struct gf_cli_option *row = program->options;
        const char written[] = { '-', *letter, '\0' };

        while (row->name != NULL && row->letter != *letter)
            row++;
        if (row->name == NULL)
            return gf_cli_unknown_letter(program, argv, *at, *letter, err);
        if (row->argument != NULL && !row->optional)
            return letter[1] != '\0' ? apply_option(row, letter + 1, r, err)
                                     : apply_next(row, written, argv, at, r, err);
        if (apply_option(row, NULL, r, err) != 0)
            return -1;
    }
    return 0;
}

static void set_if_missing(int64_t *limit, int64_t value)
{
    *limit = *limit != 0 ? *limit : value;
}

/* Sets the limits that were not given. */
static void complete_limits(struct gf_request *r)
{
    set_if_missing(&r->read.max_pixels, (int64_t)(r->untrusted ? UNTRUSTED_PIXELS : MAX_PIXELS));
    set_if_missing(&r->read.max_bytes, r->untrusted ? UNTRUSTED_BYTES : MAX_BYTES);
    if (!r->untrusted)
        return;
    set_if_missing(&r->limits.memory_bytes, UNTRUSTED_BYTES);
    set_if_missing(&r->max_output, UNTRUSTED_OUTPUT);
    r->limits.max_seconds = r->limits.max_seconds != 0 ? r->limits.max_seconds : UNTRUSTED_SECONDS;
}

/*
 * Checks what --untrusted excludes. The driver of a GPU is much code with few checks, so --device
 * auto stays on the CPU.
 */
static int restrict_request(struct gf_request *r, struct gf_error *err)
{
    if (r->no_sandbox)
        return gf_fail(err, GF_MISUSED, "--untrusted needs the sandbox;; leave out --no-sandbox");
    if (r->jpeg == GF_JPEG_BY_HARDWARE)
        return gf_fail(err, GF_MISUSED, "--untrusted decodes JPEG by software;; leave out --jpeg hardware");
    r->limits.untrusted = r->where == GF_AUTO;
    if (r->limits.untrusted)
        r->where = GF_CPU;
    gf_hardened_require();
    return 0;
}

/*
 * Makes inputs of all arguments for --info. There are no stages, nothing is decoded, and no GPU is asked, so an image
 * may have any number of pixels.
 */
static void complete_info(struct gf_request *r)
{
    for (int i = 0; i < r->word_count; i++) {
        r->bare[r->input_count] = false;
        r->inputs[r->input_count++] = r->words[i];
    }
    r->word_count = 0;
    r->where = GF_CPU;
    if (!r->untrusted)
        set_if_missing(&r->read.max_pixels, INT64_MAX);
}

/* Sets what no option has set, and checks the arguments that are left. */
static int complete_request(int argc, struct gf_request *r, struct gf_error *err)
{
    const bool measures = r->ask == GF_ASK_BENCH || r->ask == GF_ASK_PEERS || r->ask == GF_ASK_CHECK;
    const char *const stay = getenv("GPUFILTER_STAY");
    const bool takes_words = r->ask == GF_ASK_RUN || r->ask == GF_ASK_HELP || measures;

    if (r->ask == GF_ASK_INFO)
        complete_info(r);
    complete_limits(r);
    if ((r->ask == GF_ASK_HELP || measures) && r->topic == NULL && r->word_count > 0)
        r->topic = r->words[0];
    if (measures && r->word_count == 1 && r->topic != r->words[0])
        return gf_fail(err, GF_MISUSED, "unexpected argument '%s';; --%s already has the name %s", r->words[0],
                       r->asked, r->topic);
    if (measures && r->word_count > 1)
        return gf_fail(err, GF_MISUSED, "too many names: %s, %s …; give one at a time", r->words[0], r->words[1]);
    if (!takes_words && r->word_count > 0)
        return gf_fail(err, GF_MISUSED, "unexpected argument '%s';; try gpufilter --help %s", r->words[0],
                       r->words[0]);
    if (r->ask != GF_ASK_RUN && r->ask != GF_ASK_INFO)
        return 0;
    if (!r->stay_given && stay != NULL && stay[0] != '\0' && gf_cli_set_stay(r, stay, err) != 0) {
        gf_error_place(err, "GPUFILTER_STAY", NULL);
        return -1;
    }
    if (r->untrusted && restrict_request(r, err) != 0)
        return -1;
    if (r->sandbox && r->no_sandbox)
        return gf_fail(err, GF_MISUSED, "--sandbox requires the sandbox;; leave out --no-sandbox");
    r->read.live = r->write.live = r->limits.latency_ms > 0;
    if (r->input_count == 0 && r->files_from == NULL && isatty(STDIN_FILENO))
        return gf_fail(err, GF_MISUSED, argc < 2 ? "nothing to do;; try gpufilter --help"
                                                 : "no input;; name a file with -i or pipe one in");
    if (r->input_count == 0 && r->files_from == NULL)
        r->inputs[r->input_count++] = "-";
    if (r->output == NULL)
        r->output = "-";
    return 0;
}

/* True if the word can name a file: names of stages and chains have no dot and no slash. */
static bool looks_like_file(const char *word)
{
    const size_t name = strcspn(word, ":./@");

    return word[name] == '.' || word[name] == '/';
}

/* True if the word is an input: a readable file. It is not opened, because there is no sandbox yet. */
static bool is_input(const char *word)
{
    return looks_like_file(word) && !gf_path_is_folder(word) && access(word, R_OK) == 0;
}

/* True if the word names a chain that is stored in a file. */
static bool is_named_chain(const char *word)
{
    char *path = gf_named_files_path(word);
    const bool found = path != NULL;

    free(path);
    return found;
}

/* Reports a name of an output without -o together with the whole command, if that can be translated. */
static int check_words(const struct gf_cli_program *program, const struct gf_request *r, struct gf_error *err)
{
    for (int i = 0; i < r->word_count; i++) {
        const char *word = r->words[i];

        if (strcmp(word, "-") == 0)
            gf_fail(err, GF_MISUSED, "'-' is not a stage;; standard input and output need no name, or -i - and -o -");
        else if (is_named_chain(word))
            continue;
        else if (i == 0 && gf_cli_is_program(r->argv[1]) && strcmp(word, r->argv[1]) == 0)
            gf_fail(err, GF_MISUSED, "'%s' is not a stage, but another program; ", word);
        else if (looks_like_file(word) && strpbrk(word, "=,") == NULL && access(word, F_OK) != 0)
            gf_fail(err, GF_MISUSED, "'%.200s' is not a stage, and there is no file of this name; ", word);
        else if (i == 0 || strpbrk(word, ":=/") != NULL || strspn(word, "-+.0123456789") == 0)
            continue;
        else
            gf_fail(err, GF_MISUSED, "'%.80s' is not a stage", word);    /* SoX has values after a blank */
        gf_cli_translate(program, r->argv, NULL, true, err);
        if (strcmp(word, "-") == 0 || err->cause == GF_CAUSE_FOREIGN)
            return -1;
    }
    return 0;
}

/* Reports `gpufilter help blur`, which git and others understand. */
static int check_help(const struct gf_request *r, struct gf_error *err)
{
    static const char *const topics[] = { "help", "version", "list", "devices", NULL };

    for (int i = 0; topics[i] != NULL && r->word_count > 0 && r->input_count == 0; i++)
        if (strcmp(r->words[0], topics[i]) == 0)
            return gf_fail(err, GF_MISUSED, "'%s' is an option here;; write gpufilter --%s%s%.80s", topics[i],
                           topics[i], r->word_count == 2 ? " " : "", r->word_count == 2 ? r->words[1] : "");
    return 0;
}

/* Takes an argument that is neither an option nor the value of one. */
static void take_word(struct gf_request *r, const char *word, bool after_input)
{
    if (r->ask != GF_ASK_INFO && (r->ask != GF_ASK_RUN || !is_input(word))) {
        r->words[r->word_count++] = word;
        return;
    }
    r->inputs[r->input_count] = word;
    r->bare[r->input_count++] = !after_input;    /* a shell expands -i *.png to several arguments */
}

static int read_arguments(const struct gf_cli_program *program, int argc, char **argv, struct gf_request *r,
                          struct gf_error *err)
{
    bool options = true, after_input = false;

    for (int i = 1; i < argc; i++) {
        const int inputs = r->input_count;
        char *word = argv[i];

        if (options && gf_cli_unknown_syntax(program, argv, i, err) != 0)
            return -1;
        if (!options || word[0] != '-' || word[1] == '\0')
            take_word(r, word, after_input);
        else if (strcmp(word, "--") == 0)
            options = false;
        else if ((word[1] == '-' ? parse_long : parse_short)(program, argv, &i, r, err) != 0)
            return -1;
        after_input = r->input_count > inputs && !r->bare[r->input_count - 1];
    }
    return 0;
}

int gf_cli_parse(const struct gf_cli_program *program, int argc, char **argv, struct gf_request *r,
                 struct gf_error *err)
{
    *r = (struct gf_request) { .argv = argv, .ask = program->ask, .cuda.count = 1, .write.compression = -1 };
    r->inputs = calloc((size_t)argc + 1, sizeof *r->inputs);
    r->bare = calloc((size_t)argc + 1, sizeof *r->bare);
    r->words = calloc((size_t)argc + 1, sizeof *r->words);
    if (r->inputs == NULL || r->bare == NULL || r->words == NULL)
        return gf_fail_memory(err, NULL);
    if (read_arguments(program, argc, argv, r, err) != 0 || (r->ask == GF_ASK_RUN
                                                             && (check_help(r, err) != 0
                                                                 || check_words(program, r, err) != 0)))
        return -1;
    return complete_request(argc, r, err);
}

void gf_cli_release(struct gf_request *r)
{
    free(r->inputs);
    free(r->bare);
    free(r->words);
    r->inputs = r->words = NULL;
    r->bare = NULL;
}
