// What Swift needs to configure SQLite, whose function for it takes any number of arguments, which Swift cannot call.
#pragma once

// Declared here instead of including sqlite3.h, whose declarations belong to GRDB's module.
int sqlite3_db_config(struct sqlite3 *database, int option, ...);

// Turns an option of a connection on or off.
static inline int cq_set(struct sqlite3 *database, int option, int isOn)
{
    return sqlite3_db_config(database, option, isOn, (int *)0);
}
