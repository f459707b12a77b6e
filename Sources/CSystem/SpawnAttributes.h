// Attributes shared by all child processes.
#pragma once

#include <signal.h>
#include <spawn.h>

// Initializes the attributes of a child, which must not inherit the blocked and ignored signals. `flags` are added.
static inline void initialize_spawn_attributes(posix_spawnattr_t *attributes, short flags)
{
    posix_spawnattr_init(attributes);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(attributes, &signals);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags);
}
