/* ode.cpp: the Dantzig solver of ODE 0.16
 *
 * The library exports it, but its headers do not declare it: the two declarations below are copied from
 * the version it is built against, and memory is passed as ODE's world does. */
#include "peers/peer.hpp"

#include <cstdint>
#include <ode/version.h>

struct dxWorldProcessMemArena {
  void *current, *begin, *end, *arena;
  const void *manager;
};

/* pairsbx: b and x in turn; pairslh: lo and hi in turn; A x = b + w. */
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairsbx,
                double *outer_w, unsigned nub, double *pairslh, int *findex);

namespace
{

class Dantzig : public Peer
{
public:
  explicit Dantzig(const Problem &problem)
      : p(problem), n(static_cast<std::size_t>(p.n)), stride(n > 1 ? (n + 3) & ~std::size_t{3} : n),
        A0(n * stride + 8), bx0(2 * n), lh0(2 * n), A(A0), bx(bx0), lh(lh0), w(stride), findex(n),
        memory(16 * (n + 16) * (n + 16) + (1 << 20))
  {
    for (std::size_t i = 0; i < n; i++) {
      bx0[2 * i] = -p.b[i];
      lh0[2 * i] = p.lo[i];
      lh0[2 * i + 1] = p.hi[i];
      for (std::size_t j = 0; j < n; j++)
        A0[i * stride + j] = p.A[i * n + j];
    }
  }
  void load() override
  {
    A = A0;
    bx = bx0;
    lh = lh0;
    findex = p.findex;
    const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(memory.data());
    void *base = memory.data() + (64 - at % 64);
    arena = {base, base, memory.data() + memory.size(), base, nullptr};
  }
  void solve() override
  {
    dxSolveLCP(&arena, static_cast<unsigned>(p.n), A.data(), bx.data(), w.data(), 0, lh.data(),
               findex.data());
  }
  void answer(double *x) const override
  {
    for (std::size_t i = 0; i < n; i++)
      x[i] = bx[2 * i + 1];
  }

private:
  const Problem &p;
  std::size_t n, stride;
  std::vector<double> A0, bx0, lh0, A, bx, lh, w;
  std::vector<int> findex;
  std::vector<char> memory;
  dxWorldProcessMemArena arena{};
};

} // namespace

std::unique_ptr<Peer> make_peer(const std::string &method, const Problem &problem)
{
  return std::unique_ptr<Peer>(method == "dantzig" ? new Dantzig(problem) : nullptr);
}

bool takes_sparse()
{
  return false;
}

const char *peer_version()
{
  return dODE_VERSION;
}
