import pytest

from a2ui_app.transports.payload import PayloadError, read


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b"\xef\xbb\xbf[1, 2]", [1, 2]),
        (b'{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
        (b'\n{"a": 1}\r\n\r\n[{"b": 2}, {"c": 3}]', [{"a": 1}, {"b": 2}, {"c": 3}]),
        (b'{\n  "a":\n 1}', {"a": 1}),
    ],
)
def test_json_and_json_lines_are_told_apart(body, expected):
    assert read(body) == expected


def test_one_line_of_json_lines_is_a_list_when_the_type_says_so():
    assert read(b'{"a": 1}', "application/jsonl") == [{"a": 1}]


@pytest.mark.parametrize(
    ("body", "line", "column"),
    [
        (b"", 1, 1),
        (b"  \n ", 1, 1),
        (b'{"a": [-', 1, 9),  # a stream that was cut off (reported input 53)
        (b'{\n  "a": 1,\n  "b" 2}', 3, 7),
        (b'{"a": 1}\n{"b": }\n', 2, 7),
        ('{"ä": 1,\n"b": \udcff}'.encode("utf-8", "surrogateescape"), 2, 6),
    ],
)
def test_what_is_no_json_is_placed(body, line, column):
    with pytest.raises(PayloadError) as caught:
        read(body)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert str(caught.value).endswith(".")
