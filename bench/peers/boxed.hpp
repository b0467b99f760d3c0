/* boxed.hpp: the arrays of solvers that descend from ODE's, which bullet and dart share
 *
 * A x = b + w there, rows of A padded to a multiple of four, every array overwritten by a solve. */
#pragma once

#include "peers/peer.hpp"

template <typename T> class Boxed : public Peer
{
public:
  explicit Boxed(const Problem &problem)
      : p(problem), n(static_cast<std::size_t>(p.n)), stride(n > 1 ? (n + 3) & ~std::size_t{3} : n),
        A0(n * stride), b0(n), lo0(p.lo.begin(), p.lo.end()), hi0(p.hi.begin(), p.hi.end()), A(A0),
        b(n), lo(n), hi(n), x(stride), w(stride), findex(n)
  {
    for (std::size_t i = 0; i < n; i++) {
      b0[i] = static_cast<T>(-p.b[i]);
      for (std::size_t j = 0; j < n; j++)
        A0[i * stride + j] = static_cast<T>(p.A[i * n + j]);
    }
  }
  void load() override
  {
    A = A0;
    b = b0;
    lo = lo0;
    hi = hi0;
    findex = p.findex;
    x.assign(stride, 0);
    w.assign(stride, 0);
  }
  void answer(double *to) const override
  {
    std::copy_n(x.data(), n, to);
  }

protected:
  const Problem &p;
  std::size_t n, stride;
  std::vector<T> A0, b0, lo0, hi0, A, b, lo, hi, x, w;
  std::vector<int> findex;
};

/* Null if the library has no such method. */
template <typename Lemke, typename Dantzig, typename Sweeps>
std::unique_ptr<Peer> make_by_name(const std::string &method, const Problem &problem)
{
  if (method == "lemke")
    return std::unique_ptr<Peer>(new Lemke(problem));
  if (method == "dantzig")
    return std::unique_ptr<Peer>(new Dantzig(problem));
  if (method == "pgs")
    return std::unique_ptr<Peer>(new Sweeps(problem));
  return nullptr;
}
