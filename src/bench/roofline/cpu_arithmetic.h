/* Measures how many multiplications and additions of floats CPU cores can do: the ceiling of arithmetic. */
#ifndef GF_BENCH_CPU_ARITHMETIC_H
#define GF_BENCH_CPU_ARITHMETIC_H

/*
 * Returns floating-point operations per second of so many threads together, which share the cores if
 * these are fewer; 0 without memory.
 */
double gf_cpu_arithmetic_rate(int threads);

#endif
