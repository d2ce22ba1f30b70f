/* Describes this machine and this build. */
#ifndef GF_CLI_ABOUT_H
#define GF_CLI_ABOUT_H

#include "base/error.h"

struct gf_device_list;

/* Prints more about a GPU; `name` describes it for people. */
typedef int gf_about_more(void *context, int gpu, const char *name, struct gf_error *err);

/* Prints the devices of this machine. `more` is called after each GPU, unless it is NULL. */
int gf_about_devices(gf_about_more *more, void *context, struct gf_error *err) GF_MUST_CHECK;
/* Prints the GPUs in `which`; NULL or an empty list: all of them. */
int gf_about_gpus(const struct gf_device_list *which, gf_about_more *more, void *context,
                  struct gf_error *err) GF_MUST_CHECK;
/* Prints the versions of `program` and of its libraries. */
void gf_about_version(const char *program);

#endif
