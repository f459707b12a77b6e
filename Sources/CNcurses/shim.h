// What Swift needs to call ncurses: the wide-character half, and inline wrappers for what the importer leaves out.
#pragma once

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdio.h>
#include <term.h>
#include <wchar.h>

// Mutable C globals are not concurrency-safe to Swift 6, so each is read through a function.
static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline FILE *cn_stdin(void) { return stdin; }
static inline WINDOW *cn_curscr(void) { return curscr; }

// The attribute macros are casts, which the importer cannot read.
static inline attr_t cn_bold(void) { return A_BOLD; }
static inline attr_t cn_dim(void) { return A_DIM; }
static inline attr_t cn_reverse(void) { return A_REVERSE; }
static inline attr_t cn_underline(void) { return A_UNDERLINE; }

// KEY_F(n) is a macro with an argument.
static inline int cn_key_f(int n) { return KEY_F(n); }

// tigetstr() takes a mutable string and answers absence with NULL or (char *)-1: here absence is NULL.
static inline const char *cn_capability(const char *name)
{
    char *value = tigetstr((NCURSES_CONST char *)name);
    return value == (char *)-1 ? NULL : value;
}

// tigetnum() and tigetflag() take a mutable string, too. A number that is absent is negative; a flag is, too, where the
// description has a number or a string of that name.
static inline int cn_number(const char *name) { return tigetnum((NCURSES_CONST char *)name); }
static inline bool cn_flag(const char *name) { return tigetflag((NCURSES_CONST char *)name) > 0; }

// The same with numbers put into it; tiparm() is variadic. The text is valid until the next call.
static inline const char *cn_capability_with(const char *name, int first, int second)
{
    const char *value = cn_capability(name);
    return value == NULL ? NULL : tiparm(value, first, second);
}

_Static_assert(CCHARW_MAX >= 5, "the kit's glyphs have a base character and up to four marks");

// An empty cell with these looks. setcchar() is given the pair as an int through its last argument, as COLOR_PAIR()
// stops at 256.
static inline cchar_t cn_blank_cell(attr_t attributes, int pair)
{
    cchar_t cell;
    setcchar(&cell, L" ", attributes, (short)pair, &pair);
    return cell;
}

// The same cell with another text: a base character and up to four marks, zero where there are fewer. Most of a row has
// one look, and setcchar() costs more than all the rest of a cell.
static inline cchar_t cn_cell_with_base(cchar_t cell, wchar_t base)
{
    cell.chars[0] = base;
    return cell;
}

static inline cchar_t cn_cell_with_text(cchar_t cell, wchar_t base, wchar_t mark0, wchar_t mark1, wchar_t mark2,
                                        wchar_t mark3)
{
    cell.chars[0] = base;
    cell.chars[1] = mark0;
    cell.chars[2] = mark1;
    cell.chars[3] = mark2;
    cell.chars[4] = mark3;
    return cell;
}
