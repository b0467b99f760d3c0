"""A small share of the judge: the same draws in every run"""

import pytest

pytest.importorskip("scipy")
import judge  # noqa: E402


@pytest.mark.parametrize("kind", judge.DRAWS)
def test_draws(kind):
    at = list(judge.DRAWS).index(kind)
    for k in range(at, 25 * len(judge.DRAWS), len(judge.DRAWS)):
        name, wrong = judge.draw(20, k)
        assert name == kind and not wrong, f"judge.py --seed 20 --only {k}: {wrong}"
