/*
 * Lists options, stages and formats with their texts, one record a line. The build makes manual
 * pages, web pages and completions of it.
 */
#include "cli/listing.h"

#include "chain/option.h"
#include "cli/cli_options.h"
#include "cli/describe.h"
#include "io/format.h"

#include <stdio.h>
#include <string.h>

/* Prints a tab and a field. NULL is an empty field. */
static void print_field(const char *text)
{
    putchar('\t');
    for (; text != NULL && *text != '\0'; text++) {
        switch (*text) {
        case '\\': fputs("\\\\", stdout); break;
        case '\n': fputs("\\n", stdout); break;
        case '\t': fputs("\\t", stdout); break;
        default: putchar(*text); break;
        }
    }
}

static void print_flag(bool set)
{
    print_field(set ? "1" : "");
}

void gf_listing_words(const char *record, const char *const *words)
{
    printf("%s\t", record);
    for (; *words != NULL; words++)
        printf("%s ", *words);
    putchar('\n');
}

void gf_listing_options(const char *record, const struct gf_cli_option *row)
{
    for (; row->name != NULL; row++) {
        const char letter[2] = { row->letter, '\0' };

        if (row->text == NULL)
            continue;
        fputs(record, stdout);
        print_field(row->name);
        print_field(letter);
        print_field(row->argument);
        print_flag(row->optional);
        print_flag(row->files);
        print_field(row->group);
        print_field(row->text);
        print_field(row->more);
        putchar('\n');
    }
}

/* Prints a field with the words that an option takes as its value, a blank after each. */
static void print_choices(const struct gf_option *row)
{
    putchar('\t');
    for (const char *const *choice = row->choices; choice != NULL && *choice != NULL; choice++)
        printf("%s ", *choice);
    for (const struct gf_named_mask *mask = row->masks; mask != NULL && mask->name != NULL; mask++)
        printf("%s ", mask->name);
    for (const struct gf_named_colour *c = gf_named_colours; row->type == GF_OPTION_COLOUR && c->name != NULL; c++)
        printf("%s ", c->name);
    fputs(row->type == GF_OPTION_FLAG ? "on off " : "", stdout);
}

static void list_value(const struct gf_option *row)
{
    char range[256], initial[64];

    gf_option_range(row, range, sizeof range);
    gf_describe_default(row, initial, sizeof initial);
    fputs("value", stdout);
    print_field(row->name);
    print_flag(row->key_only);
    print_field(range);
    print_flag(row->required);
    print_field(initial);
    print_field(row->text);
    print_flag(row->type == GF_OPTION_FLAG);
    print_flag(row->type == GF_OPTION_INPUT || row->type == GF_OPTION_OUTPUT || row->type == GF_OPTION_MASK);
    print_choices(row);
    putchar('\n');
}

static void list_stage(const struct gf_stage *stage)
{
    char words[256];

    gf_describe_stage(stage, words, sizeof words);
    fputs("stage", stdout);
    print_field(stage->name);
    print_field(stage->kind == GF_AUDIO ? "audio" : "image");
    print_field(gf_describe_group(stage->group));
    print_field(words);
    print_field(stage->summary);
    print_field(stage->text);
    print_field(stage->picture);
    putchar('\n');
    for (const struct gf_option *row = stage->options; row != NULL && row->name != NULL; row++)
        list_value(row);
    for (const char *const *line = stage->examples; line != NULL && *line != NULL; line++) {
        fputs("example", stdout);
        print_field(*line);
        putchar('\n');
    }
}

/* Prints a field with the kinds of metadata that a writer stores, a bar after each. */
static void print_kept(const struct gf_writer_ops *ops)
{
    const struct {
        bool kept;
        const char *name;
    } items[] = {
        { ops->profile, "color profile" },
        { ops->colour_chunks, "gamma and HDR" },
        { ops->exif_bytes > 0, "EXIF" },
        { ops->xmp_bytes > 0, "XMP" },
        { ops->iptc_bytes > 0, "IPTC" },
        { ops->keeps_text != NULL, "text" },
        { ops->pixel_shape, ops->yuv ? "pixel aspect ratio, frame rate, field order" : "resolution" },
        { ops->tag_bytes > 0, "tags" },
        { ops->riff, "WAV chunks, speaker layout" },
    };
    bool any = false;

    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        printf("%s%s", items[i].kept && any ? ", " : "", items[i].kept ? items[i].name : "");
        any |= items[i].kept;
    }
}

static void list_format(const struct gf_file_format *f)
{
    const struct gf_writer_ops *ops = f->image != NULL ? f->image : f->audio;

    fputs("format", stdout);
    print_field(f->title);
    printf("\t%s%s", f->name, f->arguments ? ":" : "");
    for (const char *const *e = f->endings; *e != NULL; e++)
        printf(", %s", *e);
    print_field(f->open == NULL ? "-" : f->streams & GF_STREAMS_IN ? "streamed" : "whole");
    print_field(!gf_file_format_is_written(f) ? "-" : f->streams & GF_STREAMS_OUT ? "streamed" : "whole");
    print_field("");
    if (ops != NULL)
        print_kept(ops);
    putchar('\n');
    if (f->notes.formats == NULL)
        return;
    fputs("note", stdout);
    print_field(f->notes.formats);
    print_field(f->notes.reads);
    print_field(f->notes.loses);
    print_field(f->notes.refuses);
    putchar('\n');
}

void gf_listing(void)
{
    gf_listing_options("option", gf_cli_options);
    for (int group = 0; group < GF_GROUPS; group++)
        printf("group\t%s\n", gf_describe_group((enum gf_group)group));
    for (int i = 0; i < gf_stage_count; i++)
        list_stage(gf_stages[i]);
    for (int i = 0; i < gf_file_format_count; i++)
        list_format(gf_file_formats[i]);
    gf_listing_words("reads", gf_reader_names());
    gf_listing_words("writes", gf_writer_names());
}

void gf_listing_examples(void)
{
    for (int i = 0; i < gf_stage_count; i++)
        for (const char *const *line = gf_stages[i]->examples; line != NULL && *line != NULL; line++)
            puts(*line);
}
