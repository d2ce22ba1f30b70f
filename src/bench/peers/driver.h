/*
 * Calls of the CUDA driver that peers need. They are found at run time, so that callers are plain
 * C.
 */
#ifndef GF_BENCH_PEERS_DRIVER_H
#define GF_BENCH_PEERS_DRIVER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Finds a function of a library in any installed version; NULL if there is none. `library` is the
 * name without "lib".
 */
void *gf_peer_symbol(const char *library, const char *name);

/* Returns facts of the current device, 0 if they are not known. `which` is a CUdevice_attribute. */
int gf_peer_attribute(int which);
int gf_peer_device(void);
unsigned gf_peer_stream_flags(void *stream);
/* Returns memory on the GPU, which grows and is never freed; NULL if there is none. */
void *gf_peer_room(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
