/* npm.cpp: the scenes of many bodies in physics engines of npm, each in a process of Node
 *
 * The environment variable PERP_NPM names the folder with the packages; bench/npm/run.mjs says how to fetch
 * them. The other process is bench/npm/crowds.mjs: it receives the bodies, makes the steps and sends the poses. */
#include "scenes/world.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace
{

using namespace scenes;

[[noreturn]] void fail(const std::string &why)
{
  std::fprintf(stderr, "npm: %s\n", why.c_str());
  std::exit(2);
}

/* A process of Node with a pipe to it and one from it. */
class Child
{
public:
  explicit Child(const std::string &name)
  {
    const char *packages = std::getenv("PERP_NPM");
    if (!packages)
      fail("PERP_NPM does not name a folder with the engines' packages");
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0)
      fail("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addclose(&actions, in[1]);
    posix_spawn_file_actions_addclose(&actions, out[0]);
    std::string words[] = {"node", PERP_NPM_CROWDS, packages, name};
    char *argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
    const int error = posix_spawnp(&pid_, "node", &actions, nullptr, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    if (error != 0)
      fail("node cannot be started");
    to_ = fdopen(in[1], "wb");
    from_ = fdopen(out[0], "rb");
    if (!to_ || !from_)
      fail("no stream");
  }
  ~Child()
  {
    std::fclose(to_);
    std::fclose(from_);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  void send(const std::string &text)
  {
    std::fputs(text.c_str(), to_);
    std::fflush(to_);
  }
  std::string line()
  {
    std::string text;
    for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
      if (c == EOF)
        fail("an engine has ended");
      text += static_cast<char>(c);
    }
    return text;
  }
  void receive(std::vector<double> &values)
  {
    if (std::fread(values.data(), sizeof(double), values.size(), from_) != values.size())
      fail("an engine has ended");
  }

private:
  pid_t pid_ = 0;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

/* An engine with its defaults, or with the number of sweeps or substeps that there is time for. */
class NpmWorld : public World
{
public:
  NpmWorld(std::string name, bool adapts) : name_(std::move(name)), adapts_(adapts)
  {
  }

  void create(const Body &) override
  {
  }
  void link(int, int, Vec) override
  {
  }
  void force(int, Vec) override
  {
  }

  /* The time of a step is that of the other process. */
  void step(double dt) override
  {
    const double begin = seconds();
    if (!child_)
      start(dt);
    child_->send(std::to_string(adapts_ ? sweeps_.count() : 0) + "\n");
    child_->receive(answer_);
    judging += seconds() - begin - answer_[0];
  }

  void adapt(double took, double whole) override
  {
    sweeps_.adapt(took, whole);
  }

  State state(int body) const override
  {
    const Body &b = bodies[static_cast<std::size_t>(body)];
    if (!child_)
      return {b.at, b.turn, {}, {}};
    const double *p = answer_.data() + 1 + 7 * body;
    return {{p[0], p[1], p[2]}, {p[3], p[4], p[5], p[6]}, {}, {}};
  }
  int contacts() const override
  {
    return 0;
  }
  double overlap() const override
  {
    return 0;
  }
  std::int64_t solves() const override
  {
    return -1;
  }
  std::int64_t unsolved() const override
  {
    return -1;
  }

private:
  template <std::size_t count> static std::string list(const std::array<double, count> &values)
  {
    std::ostringstream out;
    out.precision(17);
    for (std::size_t k = 0; k < count; k++)
      out << (k ? "," : "[") << values[k];
    return out.str() + "]";
  }

  void start(double dt)
  {
    std::ostringstream json;
    json.precision(17);
    json << "{\"dt\":" << dt << ",\"gravity\":9.81,\"adapts\":" << (adapts_ ? "true," : "false,");
    const char *between = "\"bodies\":[";
    for (const Body &b : bodies) {
      json << between << "{\"half\":" << list(b.half) << ",\"at\":" << list(b.at)
           << ",\"turn\":" << list(b.turn) << ",\"mass\":" << b.mass << ",\"mu\":" << b.mu
           << ",\"sphere\":" << (b.sphere ? "true" : "false")
           << ",\"planar\":" << (b.planar ? "true" : "false") << "}";
      between = ",";
    }
    child_ = std::make_unique<Child>(name_);
    child_->send(json.str() + "]}\n");
    const std::string version = child_->line();
    static std::set<std::string> known;
    if (known.insert(version).second)
      std::printf("version %s\n", version.c_str());
    answer_.resize(1 + 7 * bodies.size());
  }

  std::string name_;
  bool adapts_;
  Sweeps sweeps_{4};
  std::unique_ptr<Child> child_;
  std::vector<double> answer_; /* CPU seconds of the step, and the poses */
};

} // namespace

namespace scenes
{

const char *const engine = "npm";
const std::vector<Solver> solvers = [] {
  std::vector<Solver> list;
  const auto add = [&list](const char *name, const char *only) {
    for (const bool adapts : {false, true})
      list.push_back({std::string(name) + (adapts ? ", same time" : ""), false,
                      [=] { return std::make_unique<NpmWorld>(name, adapts); }, "", Crowds::Only,
                      only});
  };
  for (const char *name : {"rapier3d", "jolt", "mujoco"})
    add(name, "");
  for (const char *name : {"rapier2d", "box2d"}) /* of the plane */
    add(name, "discs");
  return list;
}();

} // namespace scenes
