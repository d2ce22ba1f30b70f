/*
 * How fast devices are, as far as gpufilter-bench --rates has measured it, and whether a GPU answered: kept
 * between runs in a small file of the user's cache. It decides which device is chosen, nothing else.
 */
#ifndef GF_DEVICE_RATES_H
#define GF_DEVICE_RATES_H

#include "plan/plan.h"

#define GF_RATES_KEY 17                  /* room for 16 digits */

#define GF_RATES_TEXT 400                /* and for a line as text */

/* What is kept of one device. */
struct gf_rates {
    bool known;                          /* all below means something */
    bool present;                        /* it answered */
    bool measured;                       /* the rates are; else they are assumed */
    double start_seconds;
    double copy_bytes_per_second, work_bytes_per_second, conv_bytes_per_second;    /* as in struct gf_device_facts */
    char name[200];                      /* for people; of a GPU, also to tell it from another one */
};

/* One line of the file. */
struct gf_rates_line {
    char device[16];                     /* "cpu", "cuda:0" */
    char key[GF_RATES_KEY];              /* of the machine and its cores, or of the machine and the driver */
    int64_t when;                        /* seconds since 1970 */
    struct gf_rates rates;
};

/* Whether `text` is a line, with nothing in it that can't be. Unless it was measured, it is good for a day. */
bool gf_rates_parse(const char *text, int64_t now, struct gf_rates_line *line);
/* The line as text, with its end; room for GF_RATES_TEXT. */
void gf_rates_text(const struct gf_rates_line *line, char *text);

/* What is kept of a device on this machine; r->known false where there is nothing. */
void gf_rates_find(const char *device, struct gf_rates *r);
/* Keeps rates in place of the ones before; if the device is absent, measured ones stay in the file. False on failure. */
bool gf_rates_keep(const char *device, const struct gf_rates *r);

/* Puts kept rates in place of others. */
void gf_rates_apply(const struct gf_rates *r, struct gf_device_facts *facts);
/* The file's name; false if the user has no folder for it. */
bool gf_rates_file(char *path, size_t room);

/* The driver was asked for a GPU, and said its name or why not: keeps that, and puts measured rates into the facts. */
void gf_rates_keep_gpu(int index, const char *said, struct gf_device_facts *facts);
/* What a GPU is by what is kept, without asking; false where nothing is. For choosing only: its memory is not told. */
bool gf_rates_find_gpu(int index, struct gf_device_facts *facts);

#endif
