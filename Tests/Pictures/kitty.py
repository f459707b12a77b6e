#!/usr/bin/python3
"""Shows covers in kitty, by its protocol, on a display that nobody sees with OpenGL in software, and compares the
screenshots. Debian 12's kitty 0.26 has no placeholders, which came with 0.28: this is the older protocol.

    kitty.py [--stacks PROGRAM] [--prove]

STACKS_PICTURES=DIRECTORY keeps the screenshot of a failure."""

import contextlib

import scenario
from stage import GREYS, Display, Stage, need

COLUMNS, ROWS = 120, 40
SETTINGS = [
    "font_family=DejaVu Sans Mono", "font_size=11", "remember_window_size=no", f"initial_window_width={COLUMNS}c",
    f"initial_window_height={ROWS}c", "window_padding_width=0", "cursor_blink_interval=0", "update_check_interval=0",
    "confirm_os_window_close=0", "shell_integration=disabled", "hide_window_decorations=yes",
    "placement_strategy=top-left", "background=#000000", "foreground=#dddddd",
    *(f"color{number}={grey}" for number, grey in enumerate(GREYS)),
]  # fmt: skip


@contextlib.contextmanager
def show(command, environment):
    need("kitty")
    terminal = ["kitty", "--config", "NONE", *(part for setting in SETTINGS for part in ("-o", setting))]
    environment = {**environment, "LIBGL_ALWAYS_SOFTWARE": "1"}
    # Larger than the window, whose cells have the size that FreeType makes of the font.
    with Display(1320, 960) as display, Stage(display, terminal, command, environment) as stage:
        yield stage


if __name__ == "__main__":
    scenario.main("kitty", "kitty", show)
