# Homebrew formula of perp, for the tree that it lies in: brew install --HEAD, or with the archive of
# `make dist` as url and its sha256.
class Perp < Formula
  desc "Complementarity problems: library and program"
  license "MIT"
  version "0.3.0"
  head "file://#{File.expand_path("../..", __dir__)}", using: :git

  depends_on "cmake" => :build
  depends_on "libpng"
  depends_on "openblas"
  uses_from_macos "zlib"

  def install
    args = %w[
      -DPERP_TESTS=OFF
      -DPERP_EXAMPLES=OFF
      -DPERP_BENCH=OFF
      -DPERP_ADAPTERS=OFF
      -DPERP_WITH_BLAS=ON
      -DPERP_WITH_PNG=ON
      -DPERP_WITH_ZLIB=ON
      -DPERP_WITH_OPENMP=OFF
      -DPERP_WITH_CHOLMOD=OFF
      -DPERP_WITH_UMFPACK=OFF
      -DPERP_WITH_MATIO=OFF
      -DPERP_WITH_FCLIB=OFF
      -DPERP_WITH_ODE=OFF
    ]
    # the first four: tests, sources to read, solvers of other libraries, headers for engines; ON: dependencies above,
    # found or an error; OFF: libraries that the formula does not depend on, and must not find by chance, such as OpenMP,
    # which Apple's compiler has only with another formula
    system "cmake", "-S", ".", "-B", "build", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "solved", shell_output("#{bin}/perp solve pd:n=10")
  end
end
