// A shorter way for ncurses to move the cursor, put in place of its own by the linker where it is linked statically (see
// RELEASE in the Makefile); elsewhere this is not called.
//
// ncurses 6.4 tries up to five ways for a move and writes each of them out to see how long it is (its lib_mvcur.c): a fifth
// of the instructions of a key, for a fiftieth of its bytes. To it a cursor that is nowhere known (-1) has one way, the
// address.

struct screen;

// Weak, as programs without ncurses have none.
__attribute__((weak)) int __real__nc_mvcur_sp(struct screen *screen, int row, int column, int new_row, int new_column);

int __wrap__nc_mvcur_sp(struct screen *screen, int row, int column, int new_row, int new_column)
{
    if (row == new_row && column == new_column) return 0;
    return __real__nc_mvcur_sp(screen, -1, -1, new_row, new_column);
}
