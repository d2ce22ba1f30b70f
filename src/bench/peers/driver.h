/* The few calls of the CUDA driver that peers need, found at run time, so that they are plain C. */
#ifndef GF_BENCH_PEERS_DRIVER_H
#define GF_BENCH_PEERS_DRIVER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of a library, whichever of its versions is installed; NULL if there is none. `library` is its name without "lib". */
void *gf_peer_symbol(const char *library, const char *name);

/* Facts of the current device; `which` is a CUdevice_attribute. 0 if it can't be asked. */
int gf_peer_attribute(int which);
int gf_peer_device(void);
unsigned gf_peer_stream_flags(void *stream);
/* Memory of the GPU that grows and stays; NULL if there is none. */
void *gf_peer_room(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
