// Shorter ways for what Swift's libraries do before main(), which is a tenth of the time to the first screen.

#include <stddef.h>
#include <unistd.h>

// MARK: - Arguments

// The standard library looks for the arguments in all memory that /proc/self/maps lists (its CommandLine.cpp). The C library
// hands them to each constructor. Both functions of that file are defined here, so that the linker leaves it out.

static char **arguments;
static int argument_count;

__attribute__((constructor)) static void keep_arguments(int count, char **values)
{
    if (arguments) return;
    arguments = values;
    argument_count = count;
}

char **_swift_stdlib_getUnsafeArgvArgc(int *count)
{
    *count = argument_count;
    return arguments;
}

void _swift_stdlib_overrideUnsafeArgvArgc(char **values, int count)
{
    arguments = values;
    argument_count = count;
}

// MARK: - In place of others

// These are put in place of others by the linker in the release (see RELEASE in the Makefile); elsewhere they are not called.

// Where the program is that prints backtraces: nowhere, as a static program comes without it. It is looked for in eight
// directories otherwise.
char *__wrap_swift_copyAuxiliaryExecutablePath(const char *name)
{
    (void)name;
    return NULL;
}

// The directory of the program, which the C library looks up for libraries that are loaded from beside it: a static program
// has none, and minus one says so.
const char *__wrap__dl_get_origin(void) { return (const char *)-1; }

// Weak, as only the release has it.
__attribute__((weak)) long __real_sysconf(int name);

// The dispatch library asks twice for all processors that there could be, which takes reading a file; those there are will do.
long __wrap_sysconf(int name)
{
    return __real_sysconf(name == _SC_NPROCESSORS_CONF ? _SC_NPROCESSORS_ONLN : name);
}
