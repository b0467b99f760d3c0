"""Models in .nl files"""

import numpy as np
import pytest

import perp

# 0 <= x _|_ x^2 + y - 3 >= 0,  y = 2 x (free), with names
MODEL = """g3 1 1 0
 2 2 0 0 1
 1 0 0 1 0 0
 0 0
 1 0 0
 0 0 0 1
 0 0 0 0 0
 4 0
 4 1
 0 0 0 0 0
C0
o0
o5
v0
n2
n-3
C1
n0
x1
0 0.5
r
5 1 1
4 0
b
2 0
3
k1
2
J0 2
0 0
1 1
J1 2
0 -2
1 1
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.nl"
    path.write_text(MODEL)
    (tmp_path / "model.col").write_text("price\ndemand\n")
    return path


def test_a_model_is_solved(model):
    r = perp.solve_nl(model, sol=True)
    assert r.success and r.solve_result_num == 0 and r.kind == "ncp"
    x = r["price"]
    assert abs(x * x + 2 * x - 3) < 1e-6 and abs(r["demand"] - 2 * x) < 1e-6
    assert model.with_suffix(".sol").read_text().endswith("objno 0 0\n")
    assert "solved" in repr(r) and "residual" in str(r)
    with pytest.raises(KeyError):
        r["absent"]


def test_starts_and_options(model):
    r = perp.solve_nl(str(model), x0=[5, 1], method="fischer", tol=1e-8)
    assert r.success and r.residual <= 1e-8
    np.testing.assert_allclose(r.x, [1, 2], atol=1e-6)
    with pytest.raises(ValueError):
        perp.solve_nl(model, x0=[1, 2, 3])


def test_what_is_wrong_is_said(model, tmp_path):
    with pytest.raises((OSError, ValueError), match="absent.nl"):
        perp.solve_nl(tmp_path / "absent.nl")
    model.write_text(MODEL[:-20])
    with pytest.raises((OSError, ValueError), match=r"model\.nl:\d+: "):
        perp.solve_nl(model)
    model.write_text(MODEL.replace("4 0\nb", "3\nb"))
    with pytest.raises(ValueError, match="not square"):
        perp.solve_nl(model)
