/* check.hpp: what the tests of the adapters share: named checks, and the closing line */
#pragma once

#include <cstdio>
#include <string>

inline int passed, failed;

inline void check(const std::string &name, bool good, const std::string &detail = "")
{
  std::printf("%s %s%s%s\n", good ? "ok  " : "FAIL", name.c_str(), detail.empty() ? "" : ": ",
              detail.c_str());
  std::fflush(stdout);
  (good ? passed : failed)++;
}

/* The exit status. */
inline int summary(int skipped = 0)
{
  std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed > 0;
}

inline bool contains(const std::string &text, const std::string &part)
{
  return text.find(part) != std::string::npos;
}
