/* old_glibc.h: names the versions of glibc's functions that glibc 2.28 has; tools/make-wheels includes it first
 *
 * Debian 11 has glibc 2.31, whose exp, log and pow are also there as of 2.29: those do not call matherr. The values are
 * the same. A wheel with the newer names would not load on RHEL 8, which has 2.28. */
#if defined __x86_64__
#define OLD "GLIBC_2.2.5"
#elif defined __aarch64__
#define OLD "GLIBC_2.17"
#endif
#define BIND(name) __asm__(".symver " #name ", " #name "@" OLD)
BIND(exp);
BIND(exp2);
BIND(log);
BIND(log2);
BIND(pow);
#undef BIND
#undef OLD
