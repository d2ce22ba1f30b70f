/* The limit of --max-seconds: CPU time of the process. */
#ifndef GF_BASE_CPU_LIMIT_H
#define GF_BASE_CPU_LIMIT_H

/*
 * Ends the process with a message and status GF_FAILED once all of its threads together have used this many
 * seconds of CPU time. A lower limit of the user (ulimit -t) remains. `clean_up` is called first, in a signal
 * handler.
 */
void gf_cpu_limit_set(const char *program, int seconds, void (*clean_up)(void));
/* The message names the number of files that are done. Call it after each of several files. */
void gf_cpu_limit_count(int done, int files);

#endif
