"""The grammar of formatString (digest section 13), its limits and its errors."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from a2ui_app.catalogs.errors import A2uiExpressionError
from a2ui_app.catalogs.expressions import Call, Expr, Literal, Part, Path, parse


@pytest.mark.parametrize(
    ("template", "parts"),
    [
        ("", ("",)),
        ("hello world", ("hello world",)),
        ("5 $ {x} \\ 'a'", ("5 $ {x} \\ 'a'",)),
        ("${user}", (Path("user"),)),
        ("value is ${/user/name}", ("value is ", Path("/user/name"))),
        ("${my-path.with_underscores}", (Path("my-path.with_underscores"),)),
        ("a ${x} b ${y} c", ("a ", Path("x"), " b ", Path("y"), " c")),
        ("${x}${y}", (Path("x"), Path("y"))),
        ("${   /user/name\t\n}", (Path("/user/name"),)),
        ("${größe}${名前}", (Path("größe"), Path("名前"))),
        ("${/}", (Path("/"),)),
        ("${.}", (Path("."),)),
        ("${/a~1b/c~0d}", (Path("/a~1b/c~0d"),)),
        ("${}", ()),
        ("a${ }b", ("ab",)),
        ("${'hello world'}", (Literal("hello world"),)),
        ('${"hello world"}', (Literal("hello world"),)),
        ("${'a}b'}", (Literal("a}b"),)),
        ("${''}", (Literal(""),)),
        ("""${"it's"}""", (Literal("it's"),)),
        (r"${'it\'s'}", (Literal("it's"),)),
        (r"${'a\nb\tc\rd\\e\x'}", (Literal("a\nb\tc\rd\\ex"),)),
        ("${42}", (Literal(42),)),
        ("${-3}${+3}", (Literal(-3), Literal(3))),
        ("${1.5}${5.}${.5}", (Literal(1.5), Literal(5.0), Literal(0.5))),
        ("${1e3}${1E-2}", (Literal(1000.0), Literal(0.01))),
        ("${007}", (Literal(7),)),
        ("${true} ${false}${null}", (Literal(True), " ", Literal(False), Literal(None))),
        ("${trueish}${nullable}${true/x}", (Path("trueish"), Path("nullable"), Path("true/x"))),
        ("${now()}", (Call("now"),)),
        ("${now ( )}", (Call("now"),)),
        ("sum is ${add(a: 10, b: 20)}", ("sum is ", Call("add", (("a", Literal(10)), ("b", Literal(20)))))),
        ("${f(a:1,)}", (Call("f", (("a", Literal(1)),)),)),
        (
            "${format(value: /amount, suffix: ' USD', fallback: zero())}",
            (
                Call(
                    "format",
                    (("value", Path("/amount")), ("suffix", Literal(" USD")), ("fallback", Call("zero"))),
                ),
            ),
        ),
        ("${outer(a: inner(b: 1))}", (Call("outer", (("a", Call("inner", (("b", Literal(1)),))),)),)),
        ("${f(value: ${/a}, none: ${})}", (Call("f", (("value", Path("/a")), ("none", Literal(None)))),)),
        ("${${'hello'}}", (Literal("hello"),)),
        ("${ ${ ${x} } }", (Path("x"),)),
        ("#${@index(offset: 1)}", ("#", Call("@index", (("offset", Literal(1)),)))),
        ("${@index()}", (Call("@index"),)),
        (r"\${not_interpolated}", ("${not_interpolated}",)),
        (r"before \${x} after", ("before ${x} after",)),
        (r"\${literal} ${real}", ("${literal} ", Path("real"))),
        (r"\\${x}", (r"\${x}",)),
        (r"${a}\${b}", (Path("a"), "${b}")),
        (r"C:\$ ${x}", ("C:\\$ ", Path("x"))),
    ],
)
def test_what_a_template_says(template: str, parts: tuple[Part, ...]) -> None:
    assert parse(template) == parts


def test_numbers_keep_their_kind() -> None:
    (whole, decimal) = parse("${2}${2.0}")
    assert isinstance(whole, Literal) and isinstance(whole.value, int)
    assert isinstance(decimal, Literal) and isinstance(decimal.value, float)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("hello ${world", r"Unclosed interpolation: missing '}' \(character 7 of"),
        ("${", "Unclosed interpolation"),
        ("${'abc", "Unclosed interpolation: the string has no closing '"),
        ("${'abc\\", "Unclosed interpolation"),
        ("${f(", "Unclosed interpolation"),
        ("${f(a", "Unclosed interpolation"),
        ("${f(a:", "Unclosed interpolation"),
        ("${f(a: 1", "Unclosed interpolation"),
        ("${f(a: 1,", "Unclosed interpolation"),
        ("${add(a: 1, b: 2}", r"Expected '\)' after function arguments for 'add'.*character 17"),
        ("${add(a: 1 b: 2)}", r"Expected '\)' after function arguments for 'add', or ','"),
        ("${add(a 1)}", "Expected ':' after argument name 'a' in function 'add'"),
        ("${upper(${/a})}", r"Expected ':' after argument name '' .*as in upper\(value: …\)"),
        ("${upper('a')}", "arguments are named"),
        ("${f(a:)}", "Unexpected characters in expression: '\\)'"),
        ("${f(a:1, a:2)}", "Argument 'a' of function 'f' is given twice"),
        ("${true false}", r"Unexpected characters at end of expression: 'false}'.*character 8"),
        ("${/a b}", "Unexpected characters at end of expression: 'b}'"),
        ("${a + b}", "Unexpected characters at end of expression"),
        ("${a ? b : c}", "Unexpected characters at end of expression"),
        ("${/a~2}", "'~' is written '~0'"),
        ("${/a~}", "'~' is written '~0'"),
        ("${?}", "Unexpected characters in expression: '\\?'"),
        ("${(a: 1)}", "Expected a function name"),
        ("${@index}", r"'@index' is a function, so write '@index\(\)'"),
        ("${1.2.3}", "Invalid number literal: '1.2.3'"),
        ("${1e}", "Invalid number literal"),
        ("${1e+}", "Invalid number literal"),
        ("${2026-01-02}", "Unexpected characters at end of expression: '-01-02}'"),
        ("${1e999}", "Number literal is out of range"),
        ("${" + "9" * 5000 + "}", "Number literal is out of range"),
    ],
)
def test_what_is_wrong_with_a_template(template: str, message: str) -> None:
    with pytest.raises(A2uiExpressionError, match=message):
        parse(template)


def nested(levels: int) -> str:
    return "${" * levels + "x" + "}" * levels


def nested_calls(levels: int) -> str:
    return "${" + "f(a: " * (levels - 1) + "x" + ")" * (levels - 1) + "}"


def many_arguments(count: int) -> str:
    return "${f(" + ",".join(f"a{n}:1" for n in range(count)) + ")}"


@pytest.mark.parametrize(
    ("allowed", "refused", "message"),
    [
        ("x" * 10_000, "x" * 10_001, "10,001 characters long; at most 10,000"),
        (nested(100), nested(101), "nested more than 100 deep"),
        (nested_calls(100), nested_calls(101), "nested more than 100 deep"),
        ("${a}" * 1000, "${a}" * 1001, "more than 1,000 parts"),
        ("x${a}" * 500, "x${a}" * 500 + "x", "more than 1,000 parts"),
        (many_arguments(1000), many_arguments(1001), "more than 1,000 arguments"),
    ],
)
def test_limits(allowed: str, refused: str, message: str) -> None:
    parse(allowed)
    with pytest.raises(A2uiExpressionError, match=message):
        parse(refused)


FRAGMENTS = [
    *("${", "}", "\\", "\\${", "(", ")", ":", ",", "'", '"', "/", "~", "~1", "@index", "f", "a", "1", ".", "-", "e"),
    *("true", "null", " ", "é", "\ud800", "\0"),
]
fragments = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), max_size=40).map("".join)


@given(fragments | st.text())
def test_a_template_parses_or_says_why_not(template: str) -> None:
    try:
        parts = parse(template)
    except A2uiExpressionError as error:
        assert "template" in str(error)
    else:
        assert isinstance(parts, tuple)


@given(fragments | st.text())
def test_a_template_without_an_interpolation_comes_back_unchanged(template: str) -> None:
    assume("${" not in template)
    assert parse(template) == (template,)


@given(st.text())
def test_an_escaped_template_comes_back_unchanged(text: str) -> None:
    assert "".join(str(part) for part in parse(text.replace("${", "\\${"))) == text


names = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: name not in ("true", "false", "null")
)
literals = st.builds(
    Literal, st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(0, 1e6) | st.text(max_size=8)
)
paths = st.lists(names, min_size=1, max_size=3).map(lambda segments: Path("/" + "/".join(segments)))
expressions = st.recursive(
    literals | paths,
    lambda inner: st.builds(
        Call, names, st.dictionaries(names, inner, max_size=3).map(lambda arguments: tuple(arguments.items()))
    ),
    max_leaves=10,
)


def written(expression: Expr) -> str:
    match expression:
        case Path(path):
            return path
        case Call(name, args):
            return f"{name}({', '.join(f'{key}: {written(value)}' for key, value in args)})"
        case Literal(str(text)):
            return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
        case Literal(None):
            return "null"
        case Literal(bool(value)):
            return "true" if value else "false"
        case Literal(value):
            return repr(value)


@given(st.lists(expressions, max_size=5))
def test_what_is_written_is_what_is_read(parts: list[Expr]) -> None:
    assert parse("".join("${" + written(part) + "}" for part in parts)) == (tuple(parts) or ("",))
