// Shorter ways for what Swift's libraries do before main(), which is a tenth of the time to the first screen.

#define _GNU_SOURCE
#include <sched.h>
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

// The processors that this process may run on: the dispatch library and thread teams ask for those that there are, which
// takes the C library reading a file that the kernel writes anew each time.
// Weak, as only the release has it.
__attribute__((weak)) long __real_sysconf(int name);

long __wrap_sysconf(int name)
{
    if (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN) {
        cpu_set_t allowed;
        if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
    }
    return __real_sysconf(name);
}

// The streams of C++ (cout and the like) and all that they need of a locale: the TOML library includes them, and nobody
// writes to them.
void __wrap__ZNSt8ios_base4InitC1Ev(void *streams) { (void)streams; }
void __wrap__ZNSt8ios_base4InitD1Ev(void *streams) { (void)streams; }

// Another name for a locale, from a file of 1996 with names such as "german", none of which is UTF-8: what the C library
// does for a name that is not in it.
const char *__wrap__nl_expand_alias(const char *name)
{
    (void)name;
    return NULL;
}
