"""Learn to push a box to a target, and find a box's friction and mass from its motion

A finger pushes a box over the ground with a force that a small network chooses from what it sees. Each
step is a problem with friction in every world, solved exactly by perp.torch.lcp, and autograd goes back
through all 64 steps of all worlds:

    free = v + h Minv f,   y = J free + gap / h + A x,   A = J Minv J' + C,   v_new = free + Minv J' x

Friction in a plane is a linear complementarity problem. With the impulses n and t of a contact along its
normal and its tangent, s = t + mu n, and the slip r to the left,

    0 <= n, y_n >= 0,   0 <= s, y_t + r >= 0,   0 <= r, 2 mu n - s + e r >= 0,   complementary,

whose e is a little viscous friction, so that r is unique. Bodies move in a plane: (x, z, angle), with the
box first and the finger, which has no weight and moves along x only, second. Every possible contact has
its rows in every step, with its gap in y, so the motion depends continuously on the force.

    python3 push_box.py [--device cuda] [--worlds 4096] [--draw push.svg]"""

import argparse
import time

import torch

import perp.torch

H, STEPS, GRAVITY = 0.02, 64, 9.81
WIDE, HIGH, RADIUS = 0.25, 0.15, 0.05  # half the box, and the finger
COMPLIANCE, VISCOUS = 1e-2, 1e-6  # of a contact in m/s for each N s; of friction, its inverse
REAL = torch.float64


def rows(q):
    """J (k, 6, 6) and the gaps (k, 3) of two corners on the ground and the finger on the box: three
    normals, then three tangents."""
    zero, one = torch.zeros_like(q[:, 0, 0]), torch.ones_like(q[:, 0, 0])
    c, s = q[:, 0, 2].cos(), q[:, 0, 2].sin()
    normals, tangents, gaps = [], [], []
    for side in (-WIDE, WIDE):  # r turned by the angle
        x, z = c * side + s * HIGH, s * side - c * HIGH
        normals.append(torch.stack([zero, one, x, zero, zero, zero], 1))
        tangents.append(torch.stack([one, zero, -z, zero, zero, zero], 1))
        gaps.append(q[:, 0, 1] + z)
    z = q[:, 1, 1] - q[:, 0, 1]  # the finger's height on the box
    normals.append(torch.stack([one, zero, -z, -one, zero, zero], 1))
    tangents.append(torch.stack([zero, one, -WIDE * one, zero, -one, zero], 1))
    gaps.append(q[:, 0, 0] - WIDE - q[:, 1, 0] - RADIUS)
    return torch.stack(normals + tangents, 1), torch.stack(gaps, 1)


class World:
    """k boxes and fingers; mu and mass are numbers or tensors of k."""

    def __init__(self, k, device, mu=0.4, mass=1.0):
        mu = torch.as_tensor(mu, dtype=REAL, device=device).expand(k)
        mass = torch.as_tensor(mass, dtype=REAL, device=device).expand(k)
        inertia = mass * (WIDE ** 2 + HIGH ** 2) / 3
        zero, finger = torch.zeros_like(mass), torch.full_like(mass, 5.0)
        self.Minv = torch.stack([1 / mass, 1 / mass, 1 / inertia, finger, zero, zero], 1)
        self.weight = torch.stack([zero, -GRAVITY * mass, zero], 1)
        self.C = COMPLIANCE * torch.eye(6, dtype=REAL, device=device)
        # x = T z of z = (n, s, r) of all contacts, and the rows of r
        mu = torch.diag_embed(torch.stack([mu, mu, 0.1 * torch.ones_like(mu)], 1))
        one = torch.eye(3, dtype=REAL, device=device).expand(k, 3, 3)
        none = torch.zeros_like(one)
        self.T = torch.cat([torch.cat([one, none, none], 2), torch.cat([-mu, one, none], 2)], 1)
        self.slip = torch.cat([torch.cat([none, none, none], 2), torch.cat([none, none, one], 2),
                               torch.cat([2 * mu, -one, VISCOUS * one], 2)], 1)
        self.begin()

    def begin(self):
        self.q = torch.zeros(len(self.T), 2, 3, dtype=REAL, device=self.T.device)
        self.q[:, 0, 1] = self.q[:, 1, 1] = HIGH
        self.q[:, 1, 0] = -WIDE - RADIUS - 0.02
        self.v = torch.zeros_like(self.q)
        self.z = torch.zeros_like(self.T[:, 0])

    def step(self, force):
        J, gap = rows(self.q)
        push = torch.stack([force, torch.zeros_like(force), torch.zeros_like(force)], 1)
        free = self.v.flatten(1) + H * self.Minv * torch.cat([self.weight, push], 1)
        none = torch.zeros_like(gap)
        A = (J * self.Minv[:, None]) @ J.transpose(1, 2) + self.C
        b = torch.cat([(J @ free[..., None])[..., 0] + torch.cat([gap / H, none], 1), none], 1)
        N = torch.nn.functional.pad(A @ self.T, (0, 0, 0, 3)) + self.slip
        z = perp.torch.lcp(N, b, x0=self.z, unsolved="zero")  # such a world does not vote in this step
        self.z = z.detach()
        x = self.T @ z[..., None]
        self.v = (free + self.Minv * (J.transpose(1, 2) @ x)[..., 0]).reshape(self.q.shape)
        self.q = self.q + H * self.v


class Policy(torch.nn.Module):
    """The force of the finger, from what it sees, between -10 and 10."""

    def __init__(self, hidden=24):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(6, hidden, dtype=REAL), torch.nn.Tanh(),
                                          torch.nn.Linear(hidden, hidden, dtype=REAL), torch.nn.Tanh(),
                                          torch.nn.Linear(hidden, 1, dtype=REAL))
        with torch.no_grad():
            self.layers[-1].weight *= 0.1
            self.layers[-1].bias.fill_(0.5)  # it begins by pushing, else nothing is learned

    def forward(self, world, target, step):
        q, v = world.q, world.v
        left = torch.full_like(target, 1 - step / STEPS)
        seen = torch.stack([target - q[:, 0, 0], v[:, 0, 0], q[:, 0, 0] - q[:, 1, 0] - WIDE, v[:, 1, 0],
                            q[:, 0, 2], left], 1)
        return 10 * torch.tanh(self.layers(seen)[:, 0])


def play(policy, target, film=None, world=None):
    """All steps; the distance of each box from its target and its speed, at the end."""
    world = world or World(len(target), target.device)
    world.begin()
    for step in range(STEPS):
        world.step(policy(world, target, step))
        if film is not None:
            film.append(world.q[0].detach().cpu())
    return world.q[:, 0, 0] - target, world.v[:, 0, 0]


def captured(work):
    """The work as a CUDA graph: 64 steps are thousands of small kernels, which a graph starts at once."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = work()

    def replay():
        graph.replay()
        return result

    return replay


def learn(device="cpu", worlds=32, iterations=100, seed=1):
    torch.manual_seed(seed)
    policy = Policy().to(device)
    search = torch.optim.Adam(policy.parameters(), lr=1e-2)
    world, target = World(worlds, device), torch.zeros(worlds, dtype=REAL, device=device)

    def work():
        error, speed = play(policy, target, world=world)
        loss = (error ** 2 + 0.1 * speed ** 2).mean()
        loss.backward()
        return loss.detach()

    curve, began = [], time.perf_counter()
    if target.is_cuda:
        work = captured(work)
    for k in range(iterations):
        for group in search.param_groups:
            group["lr"] = 1e-2 * (1 - k / iterations)
        target.copy_(0.3 + 0.5 * torch.rand(worlds, dtype=REAL))
        search.zero_grad(set_to_none=False)
        loss = work()
        search.step()
        curve.append(float(loss))
    return {"policy": policy, "curve": curve, "seconds": time.perf_counter() - began}


def test(policy, device="cpu", worlds=50):
    """Targets that the training did not see; the largest and the mean error, in metres."""
    target = torch.linspace(0.35, 0.75, worlds, dtype=REAL, device=device)
    with torch.no_grad():
        error, speed = play(policy, target)
    return {"mean": float(error.abs().mean()), "most": float(error.abs().max()),
            "speed": float(speed.abs().max())}


def drive(mu, mass, device="cpu"):
    """The path of a box that is pushed for half of the time with a known force."""
    world, path = World(1, device, mu, mass), []
    for step in range(STEPS):
        world.step(torch.full((1,), 8.0 if step < STEPS // 2 else -4.0, dtype=REAL, device=device))
        path.append(world.q[0, 0, 0])
    return torch.stack(path)


def identify(truth=(0.3, 1.4), guess=(0.5, 1.0), device="cpu", iterations=40):
    """Friction and mass from a path, by L-BFGS with exact gradients."""
    observed = drive(*truth, device=device).detach()
    unknown = torch.tensor(guess, dtype=REAL, device=device).log().requires_grad_()
    search = torch.optim.LBFGS([unknown], max_iter=iterations, line_search_fn="strong_wolfe",
                               tolerance_grad=1e-12, tolerance_change=1e-16)
    losses = []

    def closure():
        search.zero_grad()
        mu, mass = unknown.exp()
        loss = 1e3 * ((drive(mu, mass, device) - observed) ** 2).mean()
        loss.backward()
        losses.append(float(loss.detach()))
        return loss

    search.step(closure)
    mu, mass = unknown.detach().exp().tolist()
    return {"mu": mu, "mass": mass, "losses": losses}


def draw(policy, curve, path, device="cpu"):
    """A film of one push, and the learning curve, as an SVG."""
    import math
    film, target = [], torch.tensor([0.6], dtype=REAL, device=device)
    with torch.no_grad():
        play(policy, target, film)
    scale, floor = 400, 150

    def place(q):
        return 190 + scale * float(q[0]), floor - scale * float(q[1])

    def values(of):
        return ";".join(of(f) for f in film + [film[-1]] * 20)

    box = values(lambda f: "{:.1f},{:.1f}".format(*place(f[0])))
    finger = values(lambda f: "{:.1f}".format(place(f[1])[0]))
    height = place(film[0][1])[1]
    low, high = math.log10(min(curve)), math.log10(max(curve))
    points = " ".join(f"{40 + 560 * k / (len(curve) - 1):.1f},"
                      f"{290 - 100 * (math.log10(v) - low) / (high - low):.1f}" for k, v in enumerate(curve))
    wide, high_box, seconds = 2 * WIDE * scale, 2 * HIGH * scale, H * (STEPS + 20)
    goal = 190 + scale * 0.6
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-family="sans-serif" font-size="12">
<rect width="640" height="320" fill="#fff"/>
<line x1="0" y1="{floor}" x2="640" y2="{floor}" stroke="#444" stroke-width="2"/>
<rect x="{goal - wide / 2:.1f}" y="{floor - high_box:.1f}" width="{wide:.1f}" height="{high_box:.1f}" fill="none" stroke="#c33" stroke-dasharray="4"/>
<g><animateTransform attributeName="transform" type="translate" dur="{seconds:.2f}s" repeatCount="indefinite" values="{box}"/>
<rect x="{-wide / 2:.1f}" y="{-high_box / 2:.1f}" width="{wide:.1f}" height="{high_box:.1f}" fill="#79b" stroke="#246"/></g>
<circle cy="{height:.1f}" r="{RADIUS * scale:.1f}" fill="#e93"><animate attributeName="cx" dur="{seconds:.2f}s" repeatCount="indefinite" values="{finger}"/></circle>
<text x="{goal - wide / 2:.1f}" y="{floor - high_box - 6:.1f}" fill="#c33">target</text>
<polyline points="{points}" fill="none" stroke="#246" stroke-width="1.5"/>
<text x="40" y="308">{len(curve)} iterations; loss {max(curve):.1e} to {min(curve):.1e} (log scale)</text>
</svg>
""")


def main(device="cpu", worlds=32, iterations=100, path=None):
    found = learn(device, worlds, iterations)
    found["test"] = test(found["policy"], device)
    found["identified"] = identify(device=device)
    if path:
        draw(found["policy"], found["curve"], path, device)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--worlds", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--draw", metavar="FILE")
    choice = parser.parse_args()
    r = main(choice.device, choice.worlds, choice.iterations, choice.draw)
    print(f"loss {r['curve'][0]:.1e} -> {r['curve'][-1]:.1e} in {r['seconds']:.1f} s; unseen targets are "
          f"missed by {1e3 * r['test']['mean']:.1f} mm on average, {1e3 * r['test']['most']:.1f} at most")
    print(f"identified: mu {r['identified']['mu']:.6f} (0.3), mass {r['identified']['mass']:.6f} (1.4)")
