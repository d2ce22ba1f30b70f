/* Defines GF_SANITIZER as the name of the sanitizer; it is not defined in builds without one. */
#ifndef GF_BASE_SANITIZER_H
#define GF_BASE_SANITIZER_H

/* gcc defines macros, clang has features, and some versions have both. */
#if defined(__SANITIZE_ADDRESS__)
#define GF_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__)
#define GF_SANITIZER "thread"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GF_SANITIZER "address"
#elif __has_feature(thread_sanitizer)
#define GF_SANITIZER "thread"
#endif
#endif

#endif
