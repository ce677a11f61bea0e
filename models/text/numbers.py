"""Whole numbers in texts."""


def is_whole(text: str, most_digits: int = 9) -> bool:
    """Whether a text is a whole number in plain digits, of not too many of them.

    Parameters
    ----------
    text : str
    most_digits : int
    """
    return text.isascii() and text.isdigit() and len(text) <= most_digits
