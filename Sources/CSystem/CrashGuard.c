#define _GNU_SOURCE
#include "CrashGuard.h"
#include "MappedMemory.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const int crash_signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
enum { signal_count = sizeof crash_signals / sizeof *crash_signals };

static char handler_stack[64 * 1024];
static volatile sig_atomic_t armed;
static int terminal_fd, captured_fd, messages_fd;
static char restore_sequence[1024];
static size_t restore_length;
static struct termios restore_modes;

static void write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written <= 0) return;
        bytes += written;
        length -= (size_t)written;
    }
}

static void copy_messages(void)
{
    char chunk[4096];
    off_t offset = 0;
    for (ssize_t n; (n = pread(captured_fd, chunk, sizeof chunk, offset)) > 0; offset += n)
        write_all(messages_fd, chunk, (size_t)n);
}

static void give_terminal_back(int signal_number)
{
    if (armed) {
        armed = 0;
        write_all(terminal_fd, restore_sequence, restore_length);
        tcsetattr(terminal_fd, TCSANOW, &restore_modes);
        copy_messages();
    }
    signal(signal_number, SIG_DFL);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, signal_number);
    sigprocmask(SIG_UNBLOCK, &mask, NULL);
    raise(signal_number);
}

static void handle(int signal_number, siginfo_t *information, void *context)
{
    (void)context;
    int code = errno;
    // A positive code is of the kernel: another process that sends the signal gives no address.
    if (signal_number == SIGBUS && information->si_code > 0 && cs_repair_mapping(information->si_addr)) {
        errno = code;
        return;
    }
    give_terminal_back(signal_number);
}

static struct sigaction crash_action(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_ONSTACK | SA_SIGINFO};
    sigfillset(&action.sa_mask);
    return action;
}

void crash_guard_handle_bus_errors(void)
{
    struct sigaction action = crash_action();
    sigaction(SIGBUS, &action, NULL);
}

int crash_guard_install(void)
{
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    if (sigaltstack(&stack, NULL) != 0) return -1;
    struct sigaction action = crash_action();
    for (int i = 0; i < signal_count; i++)
        if (sigaction(crash_signals[i], &action, NULL) != 0) return -1;
    return 0;
}

void crash_guard_arm(int terminal, const char *sequence, size_t length, const struct termios *modes, int captured,
                     int messages)
{
    armed = 0;
    terminal_fd = terminal;
    captured_fd = captured;
    messages_fd = messages;
    restore_length = length < sizeof restore_sequence ? length : sizeof restore_sequence;
    memcpy(restore_sequence, sequence, restore_length);
    restore_modes = *modes;
    armed = 1;
}

void crash_guard_disarm(void) { armed = 0; }
