"""A tray that keeps a ball in its middle: the loop of a reinforcement learner

    python3 balance.py

TrayEnv has the interface of a Gymnasium environment (reset, step, action and observation of fixed size), without
needing the package. An agent tilts gravity by at most 0.3 radians; the reward is larger the nearer the ball is to the middle. The
agent here is a proportional-derivative controller."""

import numpy as np

import perp


class TrayEnv:
    """A disc on a ground of 4 m that can be tilted; an episode has 200 steps of 0.01 s."""

    steps = 200

    def reset(self, seed=0):
        """Puts the ball at a random place; returns (observation, info)."""
        rng = np.random.default_rng(seed)
        self.sim = perp.simulate("ground", size=4.0, mu=0.8, steps=0)
        for side in (-1.9, 1.9):  # the rims
            self.sim.add("polygon", at=(side, 0.2), density=0.0,
                         corners=[(-0.1, -0.2), (0.1, -0.2), (0.1, 0.2), (-0.1, 0.2)])
        self.ball = self.sim.add("disc", 0.1, at=(rng.uniform(-1.2, 1.2), 0.1))
        self.sim.push(self.ball, (3.0 * rng.uniform(-1, 1), 0.0))
        self.count, self.x = 0, None
        return self._observe(), {}

    def _observe(self):
        x = self.sim.view().pose[self.ball, 0]
        before, self.x = (x if self.x is None else self.x), x
        return np.array([x, (x - before) / 0.01])

    def step(self, action):
        """Tilts by `action` and makes a step; returns (observation, reward, terminated, truncated, info)."""
        self.sim.set(tilt=float(np.clip(action, -0.3, 0.3)))
        made = self.sim.step(keep=False)
        self.count += 1
        seen = self._observe()
        fell = abs(seen[0]) > 2.0
        return seen, 1.0 - abs(seen[0]), fell, self.count >= self.steps, {"status": made.status}


def run(agent, seed):
    """Plays one episode; returns the mean reward and the last place of the ball."""
    env = TrayEnv()
    seen, _ = env.reset(seed)
    rewards, done = [], False
    while not done:
        seen, reward, terminated, truncated, info = env.step(agent(seen))
        assert info["status"] == "solved"
        rewards.append(reward)
        done = terminated or truncated
    return float(np.mean(rewards)), float(seen[0])


def main():
    found = {}
    for name, agent in (("no control", lambda seen: 0.0), ("controller", lambda seen: -0.5 * seen[0] - 0.4 * seen[1])):
        played = [run(agent, seed) for seed in range(5)]
        found[name] = np.mean([r for r, _ in played]), np.mean([abs(x) for _, x in played])
        print(f"{name}: mean reward {found[name][0]:.3f}, last |x| {found[name][1]:.3f} m")
    return found


if __name__ == "__main__":
    main()
