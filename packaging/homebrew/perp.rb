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

  def install
    args = %w[-DPERP_TESTS=OFF -DPERP_EXAMPLES=OFF -DPERP_BENCH=OFF -DPERP_ADAPTERS=OFF]
    system "cmake", "-S", ".", "-B", "build", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "solved", shell_output("#{bin}/perp solve pd:n=10")
  end
end
