/*
 * The files of NVIDIA's driver. They tell whether a GPU can answer, without the time that asking the
 * driver takes, and what a confined run has to allow for it.
 */
#ifndef GF_DEVICE_DRIVER_FILES_H
#define GF_DEVICE_DRIVER_FILES_H

#include <stdbool.h>

#include "base/sandbox.h"

/* Returns true if this machine has device files of the driver. Without them no GPU can be opened. */
bool gf_driver_files_exist(void);
/* Returns true if GPUs are shared through NVIDIA's MPS, to which the driver connects by a socket. */
bool gf_driver_files_mps(void);
/* Allows what the driver needs. `cache`: it may write to its cache of compiled kernels. */
void gf_driver_files_allow(struct gf_sandbox *s, bool cache);

#endif
