/* Writes the rows of the table "books" of a SQLite database as JSON Lines: the minimum work of any program. */
#include <sqlite3.h>
#include <stdio.h>

static void write_string(FILE *file, const char *text) {
    putc_unlocked('"', file);
    for (; *text; text++) {
        unsigned char byte = *text;
        if (byte < 0x20) {
            fprintf(file, "\\u%04x", byte);
            continue;
        }
        if (byte == '"' || byte == '\\') putc_unlocked('\\', file);
        putc_unlocked(byte, file);
    }
    putc_unlocked('"', file);
}

int main(int count, char **arguments) {
    sqlite3 *database;
    sqlite3_stmt *rows;
    FILE *file = count == 3 ? fopen(arguments[2], "w") : NULL;
    if (!file || sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) return 1;
    if (sqlite3_prepare_v2(database, "SELECT * FROM books", -1, &rows, NULL) != SQLITE_OK) return 1;
    int columns = sqlite3_column_count(rows);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        putc_unlocked('{', file);
        for (int column = 0; column < columns; column++) {
            if (column > 0) putc_unlocked(',', file);
            write_string(file, sqlite3_column_name(rows, column));
            putc_unlocked(':', file);
            const char *text = (const char *)sqlite3_column_text(rows, column);
            if (!text) fputs("null", file);
            else if (sqlite3_column_type(rows, column) == SQLITE_INTEGER) fputs(text, file);
            else write_string(file, text);
        }
        fputs("}\n", file);
    }
    return fclose(file) == 0 ? 0 : 1;
}
