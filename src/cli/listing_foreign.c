/* Lists other programs' words with their answers, for the test that tries each of them. */
#include "cli/listing_foreign.h"

#include "chain/foreign.h"

#include <stdio.h>
#include <string.h>

static const char *program_name(unsigned whose)
{
    return (whose & GF_PEOPLE) != 0 ? "people" : (whose & GF_FFMPEG) != 0 ? "ffmpeg" : (whose & GF_SOX) != 0 ? "sox"
        : (whose & GF_VIPS) != 0 ? "vips" : (whose & GF_MAGICK) != 0 ? "convert" : "ours";
}

static const char *kind_name(unsigned whose)
{
    return (whose & GF_FOR(GF_IMAGE)) != 0 ? "image" : (whose & GF_FOR(GF_AUDIO)) != 0 ? "audio" : "any";
}

/* Translates the example of a row; the text stays empty if the row needs words before it. */
static void fill_in_example(int number, const char *word, struct gf_foreign_words *words)
{
    const struct gf_foreign_row *row = &gf_foreign_rows[number];
    struct gf_foreign_settings settings = { .set = { false } };
    struct gf_foreign_call call = { .whose = row->whose, .name = word, .text = row->example };
    const char *value[8];
    char copy[200];

    /* they are separate arguments */
    if ((row->whose & (GF_SOX | GF_VIPS | GF_MAGICK)) != 0 && row->example != NULL) {
        snprintf(copy, sizeof copy, "%s", row->example);
        for (char *rest = copy, *next; call.count < 8 && (next = strtok_r(rest, " ", &rest)) != NULL; )
            value[call.count++] = next;
        call.text = NULL;
        call.value = value;
    }
    gf_foreign_set(&settings, 'F', "cutout.png");
    if (gf_foreign_find(&call, number, &settings, words) != number)
        words->text[0] = '\0';
}

static void print_row(int number, const char *word)
{
    const struct gf_foreign_row *row = &gf_foreign_rows[number];
    struct gf_foreign_words words = { "" };

    if (row->takes != NULL)
        fill_in_example(number, word, &words);
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", row->takes == NULL ? "hint" : program_name(row->whose), kind_name(row->whose),
           word, row->example != NULL ? row->example : "", row->effect != NULL ? row->effect : "",
           row->takes == NULL ? row->gives : words.text);
}

void gf_listing_foreign(void)
{
    for (int i = 0; gf_foreign_rows[i].words != NULL; i++) {
        char copy[200];

        snprintf(copy, sizeof copy, "%s", gf_foreign_rows[i].words);
        for (char *rest = copy, *word; (word = strtok_r(rest, "|", &rest)) != NULL; )
            print_row(i, word);
    }
}
