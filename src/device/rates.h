/*
 * Rates: how fast devices are, as gpufilter-bench --rates measured them, and if a GPU answered.
 * They are kept between runs in a small file in the user's cache. They affect only the choice of
 * the device.
 */
#ifndef GF_DEVICE_RATES_H
#define GF_DEVICE_RATES_H

#include "plan/plan.h"

#define GF_RATES_KEY 17                  /* bytes of a key: 16 digits and the end */

#define GF_RATES_TEXT 400                /* bytes of a line */

/* The facts that are known about one device. */
struct gf_rates {
    bool known;                          /* the other members are valid */
    bool present;                        /* it answered */
    bool measured;                       /* the rates were measured; otherwise they are assumed */
    double start_seconds;
    double copy_bytes_per_second, work_bytes_per_second, conv_bytes_per_second;    /* as in struct gf_device_facts */
    char name[200];                      /* for people; for a GPU, also to recognize it */
};

/* A line of the file. */
struct gf_rates_line {
    char device[16];                     /* "cpu", "cuda:0" */
    char key[GF_RATES_KEY];              /* hash of the machine and its cores, or of the machine and the driver */
    int64_t when;                        /* seconds since 1970 */
    struct gf_rates rates;
};

/*
 * Returns true if `text` is a line with plausible values. An entry without measured rates expires after
 * a day.
 */
bool gf_rates_parse(const char *text, int64_t now, struct gf_rates_line *line);
/* Writes the line as text with its newline; `text` has room for GF_RATES_TEXT bytes. */
void gf_rates_text(const struct gf_rates_line *line, char *text);

/* Reads what is kept about a device of this machine; r->known is false if there is nothing. */
void gf_rates_find(const char *device, struct gf_rates *r);
/* Keeps rates in place of the old ones. If the device is absent, measured rates stay in the file. False on failure. */
bool gf_rates_keep(const char *device, const struct gf_rates *r);

/* Replaces assumed rates in the facts by kept ones. */
void gf_rates_apply(const struct gf_rates *r, struct gf_device_facts *facts);
/* Writes the name of the folder of the file, and creates it if `make` is set; false as below. */
bool gf_rates_folder(char *path, size_t room, bool make);
/* Deletes that folder if it is empty. */
void gf_rates_tidy(void);
/* Writes the name of the file; false if the user has no cache folder. */
bool gf_rates_file(char *path, size_t room);

/*
 * Keeps the driver's answer, the name of a GPU or the reason why there is none, and puts measured
 * rates into the facts.
 */
void gf_rates_keep_gpu(int index, const char *said, struct gf_device_facts *facts);
/*
 * Fills the facts about a GPU from kept rates, without opening it; false if there are none. Its
 * memory stays unknown, so use them only to choose a device.
 */
bool gf_rates_find_gpu(int index, struct gf_device_facts *facts);

#endif
