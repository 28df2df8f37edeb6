"""Templates: parameters and expressions."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from description.tiny_robots import BODY
from grouser.description.expression import ExpressionError, evaluate
from grouser.description.read import check, load


def no_parameter(name: str) -> float:
    raise ExpressionError(f"no {name}")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        (" .5e1 ", 5.0),
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 / 4 / 2", 1.0),
        ("5 - 3 - 1", 1.0),
        ("--2", 2.0),
        ("-(1 - 3)", 2.0),
        ("2 * -3", -6.0),
        ("2e-1*10", 2.0),
        ("sin(pi/2) + cos(0) + log(exp(1))", 3.0),
        ("((((1))))", 1.0),
    ],
)
def test_expressions(text, value):
    assert evaluate(text, no_parameter) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("1+", "ends too early"),
        ("1 2", "'2' is not expected"),
        ("2junk", "'junk' is not expected"),
        ("2**3", "'*' is not expected"),
        (")", r"'\)' is not expected"),
        ("(1", r"'\)' is missing"),
        ("sin 1", r"'\(' is missing"),
        ("tan(1)", "'tan' is not known; known: pi, sin"),
        ("__import__('os')", "is not known|not part"),
        ("(1).__class__", "not part of an expression"),
        ("1/0", "division by zero"),
        ("log(-1)", r"log\(-1.0\) has no value"),
        ("log(0)", "has no value"),
        ("exp(1000)", "too large"),
        ("1e999", "not finite"),
        ("1e308*10", "not finite"),
        ("(" * 5000 + "1" + ")" * 5000, "longer"),
        ("(" * 100 + "1" + ")" * 100, "nested deeper"),
        ("sin(" * 100 + "1" + ")" * 100, "nested deeper"),
        ("@@x", "no x"),
    ],
)
def test_what_is_no_expression(text, said):
    with pytest.raises(ExpressionError, match=said):
        evaluate(text, no_parameter)


# Trees of expressions, as text and as value.
leaves = st.floats(0.01, 100.0).map(lambda x: (repr(x), x))
trees = st.recursive(
    leaves,
    lambda inner: (
        st.tuples(inner, st.sampled_from("+-*"), inner).map(
            lambda t: (
                f"({t[0][0]} {t[1]} {t[2][0]})",
                {"+": t[0][1] + t[2][1], "-": t[0][1] - t[2][1], "*": t[0][1] * t[2][1]}[t[1]],
            )
        )
        | inner.map(lambda t: (f"-({t[0]})", -t[1]))
        | inner.map(lambda t: (f"cos({t[0]})", math.cos(t[1])))
    ),
    max_leaves=12,
)


@given(trees)
def test_any_expression_has_its_value(tree):
    text, value = tree
    assert evaluate(text, no_parameter) == value


@given(st.text(max_size=60))
def test_no_text_does_more_than_raise(text):
    with contextlib.suppress(ExpressionError):
        assert math.isfinite(evaluate(text, no_parameter))


def placed(xyz: str, before: str = "") -> str:
    return (
        f'<robot name="r">\n{before}<link name="a">{BODY}</link><link name="b">{BODY}</link>\n'
        f'<joint name="j" type="fixed"><parent link="a"/><child link="b"/>'
        f'<origin xyz="{xyz}"/></joint></robot>'
    )


@pytest.mark.parametrize(
    ("xyz", "expected"),
    [
        ("@@w {@@w*2} {1/4}", (0.5, 1.0, 0.25)),
        ("-@@w -{@@w} -{-@@w}", (-0.5, -0.5, 0.5)),
        ("-@@n -{@@n/2} {-@@n}", (2.0, 1.0, 2.0)),
        ("@@n {@@n - @@n} {@@w-@@n}", (-2.0, 0.0, 2.5)),
        ("@@s 0 0", (1.5, 0.0, 0.0)),
    ],
)
def test_values(xyz, expected):
    params = {"w": 0.5, "n": -2, "s": "1.5"}
    assert load(placed(xyz), params).joints["j"].origin.xyz == expected


def test_anywhere_in_the_text_even_tags():
    made = load(placed("0 0 0").replace("joint", "@@element"), {"element": "joint"})
    assert list(made.joints) == ["j"]


def test_names_joined_by_hyphens_keep_them():
    made = load(placed("0 0 0").replace('"j"', '"@@a-@@b"'), {"a": 3, "b": -2})
    assert list(made.joints) == ["3--2"]


def test_values_are_escaped():
    made = load(placed("0 0 0").replace('"j"', '"@@a"'), {"a": "<&\"'>"})
    assert list(made.joints) == ["<&\"'>"]


def test_comments_are_left_alone():
    assert check(placed("0 0 0", "<!-- {nothing} @@x --><![CDATA[{y}]]><?z {a}?>"), {"w": 1})[0].message.startswith(
        "parameter 'w' is not used"
    )


def test_braces_of_others_are_left_alone_where_there_is_no_template():
    text = placed("{1 + 1} 0 0", "<gazebo><p>{robot_namespace} ${x}</p></gazebo>")
    assert check(text) == []
    assert load(text).joints["j"].origin.xyz == (2.0, 0.0, 0.0)


def test_missing_parameters_are_named_once_with_their_line():
    found = check(placed("@@height @@height {@@heigth}"), {"hight": 1})
    errors = [(d.line, d.message, d.hint) for d in found if d.severity == "error"]
    assert [line for line, _, _ in errors] == [3, 3]
    assert "'@@height' has no value" in errors[0][1]
    assert "did you mean 'hight'" in errors[0][2]
    assert "'@@heigth' has no value" in errors[1][1]
    assert [d.message for d in found if d.severity == "warning"] == [
        "parameter 'hight' is not used: no '@@hight' in the file"
    ]


@pytest.mark.parametrize(
    ("xyz", "said"),
    [
        ("{1+} 0 0", "ends too early"),
        ("{@@t} 0 0", "not a number"),
        ("@@ 0 0", "name is missing"),
        ("{1", "'}' is missing"),
    ],
)
def test_what_cannot_be_evaluated(xyz, said):
    found = check(placed(xyz), {"t": "text"})
    assert any(said in d.message and d.severity == "error" and d.line == 3 for d in found), found


def test_modules_are_templates_too(tmp_path):
    (tmp_path / "m.xml").write_text(f'\n<link name="@@c">{BODY}</link>')
    text = placed("0 0 0").replace('"b"', '"x"').replace('<link name="x">' + BODY + "</link>", "")
    assert "x" in load(text, {"c": "x"}, ["m.xml"], tmp_path).links
