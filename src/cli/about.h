/* What this machine and this build have. */
#ifndef GF_CLI_ABOUT_H
#define GF_CLI_ABOUT_H

#include "base/error.h"

/* Prints the devices of this machine; `verbose`: with the kernels of every GPU. */
int gf_about_devices(bool verbose, struct gf_error *err) GF_MUST_CHECK;
/* Prints the versions of gpufilter and of its libraries. */
void gf_about_version(void);

#endif
