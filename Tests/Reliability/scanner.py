"""The bytes that may reach a terminal: text, and the control characters and sequences that ncurses and stacks send."""

from __future__ import annotations

import re
import unicodedata

# Only the exact forms that are sent: a sequence in a catalog that passes would have to be drawn in the form that
# ncurses uses. Numbers are limited to those of a large window and of colours.
NUMBER = rb"\d{1,3}"
NUMBERS = rb"(?:" + NUMBER + rb"(?:;" + NUMBER + rb")*)?"
SEQUENCES = re.compile(
    rb"\x1b(?:"
    rb"\[" + NUMBERS + rb"m"  # colours and attributes
    rb"|\[" + NUMBERS + rb"[HJKABCDGdXP@LMSTbr]"  # moving, erasing, inserting, repeating, scrolling
    rb"|\[\?(?:1|7|12|25|1000|1002|1003|1006|1034|1049|2004)(?:;(?:25|1006|1002))*[hl]"  # modes
    rb"|\[4l|\[>4;?m|\[22;0;0t|\[23;0;0t"
    rb"|\([B0]|\)[B0]|[=>78M]|\[!p"
    rb"|\]11;\?\x1b\\"  # the question for the colour of the background
    rb"|_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\|\[>0q|\[1[46]t|\[c"  # the questions for pictures
    rb"|\]52;c;[A-Za-z0-9+/=]*(?:\x07|\x1b\\)"  # the clipboard, in Base64
    rb")"
)
CONTROLS_OF_SCREENS = frozenset("\r\n\b\t\a\x0e\x0f")
CONTROLS_OF_TEXT = frozenset("\r\n\t")
# Bidirectional controls, invisible characters and other planes: users never see them as characters.
SEPARATORS = {"\u2028", "\u2029"}


def is_forbidden(character: str, controls: frozenset[str]) -> bool:
    category = unicodedata.category(character)
    return (category in ("Cc", "Cf", "Cs") and character not in controls) or character in SEPARATORS


def forbidden(output: bytes, is_screen: bool) -> list[str]:
    """Returns descriptions of all forbidden output."""
    if is_screen:
        output = SEQUENCES.sub(b"", output)
    found = []
    try:
        text = output.decode()
    except UnicodeDecodeError as error:
        found.append(f"no UTF-8 at {error.start}: {output[max(0, error.start - 8):error.start + 8]!r}")
        text = output.decode(errors="ignore")
    controls = CONTROLS_OF_SCREENS if is_screen else CONTROLS_OF_TEXT
    for position, character in enumerate(text):
        if character > "~" or character < " ":
            if is_forbidden(character, controls):
                around = text[max(0, position - 12) : position + 24]
                found.append(f"U+{ord(character):04X} in {around!r}")
                if len(found) > 20:
                    break
    return found
