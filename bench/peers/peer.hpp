/* peer.hpp: what an adaptor to another library provides; serve.cpp is the program around it */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/* Compressed rows. */
struct Rows {
  std::vector<std::int64_t> start;
  std::vector<int> column;
  std::vector<double> value;
};

struct Problem {
  int n, cones;
  std::vector<std::int64_t> start; /* A by compressed rows */
  std::vector<int> column;
  std::vector<double> value;
  bool rolling;          /* contacts have five rows and five mu */
  int velocities;        /* 0: without M and J */
  Rows M, J;             /* A = J M^-1 J^T */
  std::vector<double> A; /* the whole of it, row major, unless takes_sparse() */
  std::vector<double> b, lo, hi;
  std::vector<int> findex;
  std::vector<double> mu; /* of the first rows, three for each */
};

class Peer
{
public:
  virtual ~Peer() = default;
  virtual void aim(double)
  {
  }                         /* at this tolerance, if it iterates */
  virtual void load() = 0;  /* before every solve: solvers overwrite what they are given */
  virtual void solve() = 0; /* nothing but the library's own call */
  virtual void answer(double *x) const = 0; /* n numbers */
  virtual bool gave_up() const
  {
    return false;
  }
};

/* Null if the library has no such method. */
std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem);
bool takes_sparse();
const char *peer_version(); /* of the library: "0.16.2" */
