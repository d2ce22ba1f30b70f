/* Finds the name of a color profile. */
#ifndef GF_METADATA_ICC_NAME_H
#define GF_METADATA_ICC_NAME_H

#include <stddef.h>

/* Copies the name of a profile as UTF-8, as much of it as fits; "unnamed" if there is none. */
void gf_icc_name(const unsigned char *icc, size_t size, char *name, size_t room);

#endif
