"""Whether numbers and their nouns agree in what a person reads: `1 bulb`, not `1 bulbs`."""

import re

# A number behind these words is a name: "row 1 holds", "line 1 lacks".
_NAMES = "".join(
    rf"(?<!{word} )" for word in ("row", "column", "region", "line", "layout", "grade", "clue", "and", "by")
)
_ONE = re.compile(rf"(?<![\w.,:/+-]){_NAMES}1 (?:(?:floor|hexadecimal|forced|more|other) )?([a-z]{{3,}}s)\b")
_VERBS = frozenset(("has", "was", "less", "this", "its", "holds", "lacks", "says"))
_NOUNS = (
    "attempt|bulb|byte|case|cell|character|clause|column|digit|flag|hop|label|layout|line|mine|obstacle|part|place|puzzle|region|"
    "round|row|rule|solution|sprinkler|star|state|step|symmetry|tent|tile|tree"
)
_MORE = re.compile(rf"(?<![\w.,:/+-])(?!1 )\d[\d,]* (?:{_NOUNS})\b(?![-: ]*\d)")


def disagreements(text: str) -> list[str]:
    """List the places of a text where a noun does not go with its number."""
    ones = [found.group() for found in _ONE.finditer(text) if found[1] not in _VERBS]
    return ones + [found.group() for found in _MORE.finditer(text)]
