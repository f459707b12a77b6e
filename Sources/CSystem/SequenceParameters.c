// Shorter ways for what ncurses asks again and again while it writes a screen, put in place of its own by the linker where it
// is linked statically (see RELEASE in the Makefile); elsewhere they are not called. They say the same.

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

// MARK: - Parameters

// ncurses reads the language of a terminal's sequences, with its stack and its conditions, each time that it moves the cursor
// or changes the looks (its lib_tparm.c): two to four thousand instructions, which are a tenth of those of a screen.

enum { parameter_limit = 9, looks_limit = 1 << parameter_limit };

// Weak, as programs without ncurses have none.
__attribute__((weak)) char *__real__nc_tiparm(int count, const char *sequence, ...);

static char *usual(int count, const char *sequence, const int *values)
{
    return __real__nc_tiparm(count, sequence, values[0], values[1], values[2], values[3], values[4], values[5], values[6],
                             values[7], values[8]);
}

// The address of a cell, counted from zero, as nearly all terminals have it: CUP in ECMA-48, section 8.3.21.
static char *address(int row, int column)
{
    static char text[32];
    char *end = text + sizeof text - 1;
    *--end = 'H';
    for (unsigned rest = (unsigned)column + 1; rest; rest /= 10) *--end = (char)('0' + rest % 10);
    *--end = ';';
    for (unsigned rest = (unsigned)row + 1; rest; rest /= 10) *--end = (char)('0' + rest % 10);
    *--end = '[';
    *--end = '\033';
    return end;
}

// What sets the looks, each of which is on or off: made once for each set of them.
static char *looks(const char *sequence, const int *values)
{
    static char *known[looks_limit], *known_of;
    if (!known_of || strcmp(known_of, sequence) != 0) {
        for (int index = 0; index < looks_limit; index++) {
            free(known[index]);
            known[index] = NULL;
        }
        free(known_of);
        known_of = strdup(sequence);
    }
    unsigned index = 0;
    for (int place = 0; place < parameter_limit; place++) index |= (unsigned)(values[place] != 0) << place;
    if (known_of && known[index]) return known[index];
    char *made = usual(parameter_limit, sequence, values);
    if (known_of && made) known[index] = strdup(made);
    return made;
}

char *__wrap__nc_tiparm(int count, const char *sequence, ...)
{
    int values[parameter_limit] = {0};
    va_list parameters;
    va_start(parameters, sequence);
    for (int place = 0; place < count && place < parameter_limit; place++) values[place] = va_arg(parameters, int);
    va_end(parameters);
    if (!sequence) return usual(count, sequence, values);
    if (count == parameter_limit) return looks(sequence, values);
    if (count == 2 && values[0] >= 0 && values[1] >= 0 && strcmp(sequence, "\033[%i%p1%d;%p2%dH") == 0) {
        return address(values[0], values[1]);
    }
    return usual(count, sequence, values);
}

// MARK: - Characters

// How many columns a character takes, and which byte it is: of ASCII all encodings that programs run in say the same.

__attribute__((weak)) int __real_wcwidth(wchar_t character);
__attribute__((weak)) int __real_wctob(wint_t character);

int __wrap_wcwidth(wchar_t character)
{
    return (unsigned)character - 0x20 < 0x5F ? 1 : __real_wcwidth(character);
}

int __wrap_wctob(wint_t character) { return character < 0x80 ? (int)character : __real_wctob(character); }
