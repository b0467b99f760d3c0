/* machine.c: the machine that the figures were measured on */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* An ARM CPU reports a part number, not a name. */
static const struct {
  int part;
  const char *name;
} arm[] = {{0xd03, "Cortex-A53"},  {0xd07, "Cortex-A57"},  {0xd08, "Cortex-A72"},
           {0xd0b, "Cortex-A76"},  {0xd0c, "Neoverse-N1"}, {0xd40, "Neoverse-V1"},
           {0xd49, "Neoverse-N2"}, {0xd4f, "Neoverse-V2"}, {0xd4b, "Cortex-A78C"}};

static void find_processor(char *name, size_t size)
{
  FILE *in = fopen("/proc/cpuinfo", "r");
  char line[512];
  while (in && !*name && fgets(line, sizeof line, in)) {
    const char *value = strchr(line, ':');
    if (!value)
      continue;
    value += 1 + strspn(value + 1, " \t");
    if (strncmp(line, "model name", 10) == 0) {
      snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
    } else if (strncmp(line, "CPU part", 8) == 0) {
      const long part = strtol(value, NULL, 16);
      for (size_t k = 0; k < sizeof arm / sizeof *arm; k++)
        if (arm[k].part == part)
          snprintf(name, size, "%s", arm[k].name);
      if (!*name)
        snprintf(name, size, "ARM part 0x%lx", (unsigned long)part);
    }
  }
  if (in)
    fclose(in);
}

bench_machine bench_this_machine(void)
{
  bench_machine m = {0};
  struct utsname u;
  const bool told = uname(&u) == 0;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  find_processor(m.processor, sizeof m.processor);
  if (!*m.processor)
    snprintf(m.processor, sizeof m.processor, "%.60s", told ? u.machine : "unknown");
  if (told)
    snprintf(m.system, sizeof m.system, "%.60s %.60s, %.30s, %ld cores", u.sysname, u.release,
             u.machine, cores);
  size_t used = 0;
  for (const char *at = m.processor; *at && used < 40; at++) {
    const bool plain = isalnum((unsigned char)*at) != 0;
    if (plain || (used && m.name[used - 1] != '-'))
      m.name[used++] = plain ? (char)tolower((unsigned char)*at) : '-';
  }
  while (used && m.name[used - 1] == '-')
    used--;
  snprintf(m.name + used, sizeof m.name - used, "-%ldcore", cores);
  return m;
}
