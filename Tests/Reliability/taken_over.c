// stacks-connect as if a catalog had taken it over: a library that is loaded into the program, and that tries what it can
// as soon as the program has opened a source; with TAKEN_OVER_EARLY, when it begins to decompress one, whose format it does
// not know yet; with TAKEN_OVER_CONVERTER, in the program that that one starts.
//
// TAKEN_OVER_REPORT names a file for the results, lines of "name succeeded" or "name failed: cause";
// TAKEN_OVER_WITHOUT says which means of confinement the program finds missing: "landlock", "seccomp" or both;
// TAKEN_OVER_AIMS is the directory with what it aims at.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static int report = -1;
static int has_tried;

static const char *aim(const char *name)
{
    static char paths[4][4096];
    static int last;
    char *path = paths[last++ % 4];
    const char *directory = getenv("TAKEN_OVER_AIMS");
    snprintf(path, sizeof paths[0], "%s/%s", directory ? directory : "", name);
    return path;
}

// The number in a file of the aims, such as a port or the ID of a process; written before the program was started, and
// passed in the environment, because the file may not be readable.
static int number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

static void tell(const char *name, int succeeded)
{
    char line[256];
    int cause = errno;
    int length = succeeded ? snprintf(line, sizeof line, "%s succeeded\n", name)
                           : snprintf(line, sizeof line, "%s failed: %s\n", name, strerror(cause));
    syscall(SYS_write, report, line, length);
}

static int opens(const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    return file >= 0;
}

// MARK: - Files

static int write_new(void) { return opens(aim("home/new"), O_WRONLY | O_CREAT | O_EXCL); }
static int write_old(void) { return opens(aim("home/notes"), O_WRONLY | O_APPEND); }
static int truncate_file(void) { return truncate(aim("home/cut"), 0) == 0; }
static int delete_file(void) { return unlink(aim("home/deleted")) == 0; }
static int make_directory(void) { return mkdir(aim("home/directory"), 0700) == 0; }
static int rename_file(void) { return rename(aim("home/renamed"), aim("home/renamed2")) == 0; }
static int link_secret(void)
{
    char path[4096];
    const char *cache = getenv("SQLITE_TMPDIR");
    // The directory of a server whose books stay there is made when the first are kept.
    snprintf(path, sizeof path, "%s/link", cache && access(cache, F_OK) == 0 ? cache : aim("home"));
    int succeeded = symlink(aim("home/.ssh/id"), path) == 0;
    if (succeeded) unlink(path);
    return succeeded;
}
static int read_key(void) { return opens(aim("home/.ssh/id"), O_RDONLY); }
static int list_home(void) { return opens(aim("home"), O_RDONLY | O_DIRECTORY); }
static int read_neighbour(void) { return opens(aim("neighbour"), O_RDONLY); }
static int read_passwd(void) { return opens("/etc/passwd", O_RDONLY); }
static int read_environment(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", number("TAKEN_OVER_VICTIM"));
    return opens(path, O_RDONLY);
}
static int change_mode(void) { return chmod(aim("home/.ssh/id"), 0644) == 0; }
static int change_mode_at(void) { return fchmodat(AT_FDCWD, aim("home/.ssh/id"), 0644, 0) == 0; }
static int change_mode_at2(void) { return syscall(452, AT_FDCWD, aim("home/.ssh/id"), 0644, 0) == 0; }
static int share_source(void)
{
    int file = open(aim("source"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    int succeeded = fchmod(file, 0666) == 0;
    int cause = errno;
    close(file);
    errno = cause;
    return succeeded;
}
static int set_attribute(void) { return setxattr(aim("home/notes"), "user.taken", "over", 4, 0) == 0; }
static int change_times(void)
{
    struct timespec times[2] = {{1, 0}, {1, 0}};
    return utimensat(AT_FDCWD, aim("home/notes"), times, 0) == 0;
}
static int set_flags(const char *path)
{
    int flags = 0, file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    int succeeded = ioctl(file, _IOR('f', 1, long), &flags) == 0 && ioctl(file, _IOW('f', 2, long), &flags) == 0;
    int cause = errno;
    close(file);
    errno = cause;
    return succeeded;
}
static int flag_source(void) { return set_flags(aim("source")); }
static int set_file_attributes(void)
{
    // struct file_attr of Linux 6.17.
    struct {
        unsigned long long flags;
        unsigned extent, count, project, copy;
    } attributes = {0};
    return syscall(469, AT_FDCWD, aim("home/notes"), &attributes, sizeof attributes, 0) == 0;
}
static int lock_source(void)
{
    int file = open(aim("source"), O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    int succeeded = fchmod(file, 0) == 0;
    int cause = errno;
    if (succeeded) fchmod(file, 0644);
    close(file);
    errno = cause;
    return succeeded;
}
static int read_copy(void) { return opens(getenv("TAKEN_OVER_COPY"), O_RDONLY); }
static int write_copy(void) { return opens(getenv("TAKEN_OVER_COPY"), O_WRONLY); }
static int change_owner(void) { return chown(aim("home/.ssh/id"), getuid(), getgid()) == 0; }

// MARK: - Networks

static int connect_to(int kind, const char *port)
{
    int descriptor = socket(AF_INET, kind | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return 0;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(number(port)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int succeeded = connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0
        && (kind == SOCK_STREAM || send(descriptor, "x", 1, 0) == 1);
    int cause = errno;
    close(descriptor);
    errno = cause;
    return succeeded;
}
static int connect_tcp(void) { return connect_to(SOCK_STREAM, "TAKEN_OVER_TCP"); }
static int send_udp(void) { return connect_to(SOCK_DGRAM, "TAKEN_OVER_UDP"); }
static int wait_for_connections(void)
{
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return 0;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int succeeded = bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && listen(descriptor, 1) == 0;
    int cause = errno;
    close(descriptor);
    errno = cause;
    return succeeded;
}
static int connect_unix(const char *path, int isAbstract)
{
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path + isAbstract, path, sizeof address.sun_path - 2);
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + isAbstract + strlen(path);
    int succeeded = connect(descriptor, (struct sockaddr *)&address, isAbstract ? length : sizeof address) == 0;
    int cause = errno;
    close(descriptor);
    errno = cause;
    return succeeded;
}
static int connect_bus(void) { return connect_unix(aim("bus"), 0); }
static int connect_abstract(void) { return connect_unix(getenv("TAKEN_OVER_ABSTRACT"), 1); }
static int open_packets(void)
{
    int descriptor = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (descriptor >= 0) close(descriptor);
    return descriptor >= 0;
}

// MARK: - Programs and processes

// Ends a child that could not execute a program, and sends the cause.
static void fail(int result)
{
    int cause = errno;
    syscall(SYS_write, result, &cause, sizeof cause);
    _exit(1);
}

// Returns whether a child has executed a program: then the pipe of its results is closed without a cause.
static int has_executed(pid_t child, const int results[2])
{
    int cause = errno;
    close(results[1]);
    int failed = child < 0 || read(results[0], &cause, sizeof cause) > 0;
    close(results[0]);
    if (child > 0) waitpid(child, NULL, 0);
    errno = cause;
    return !failed;
}

static int run(char *const arguments[], int descriptor)
{
    int results[2];
    if (pipe2(results, O_CLOEXEC) != 0) return 0;
    pid_t child = fork();
    if (child == 0) {
        close(STDOUT_FILENO);
        if (descriptor < 0) execv(arguments[0], arguments);
        else fexecve(descriptor, arguments, environ);
        fail(results[1]);
    }
    return has_executed(child, results);
}
static char *const TRUE[] = {"/usr/bin/true", NULL};
static int execute(void)
{
    unsetenv("LD_PRELOAD");
    return run(TRUE, -1);
}
static int execute_in_place(void)
{
    // vfork shares the memory of this program.
    int results[2];
    if (pipe2(results, O_CLOEXEC) != 0) return 0;
    pid_t child = vfork();
    if (child == 0) {
        execv("/usr/bin/env", (char *const[]){"/usr/bin/env", "true", NULL});
        fail(results[1]);
    }
    return has_executed(child, results);
}
static int execute_memory(void)
{
    // The C library can be read everywhere, and is a program, too.
    Dl_info library;
    dladdr(dlsym(RTLD_NEXT, "write"), &library);
    int copy = memfd_create("program", 0), program = open(library.dli_fname, O_RDONLY | O_CLOEXEC);
    if (copy < 0) return 0;
    char bytes[1 << 16];
    ssize_t count = program < 0 ? -1 : 0;
    while (program >= 0 && (count = read(program, bytes, sizeof bytes)) > 0)
        if (syscall(SYS_write, copy, bytes, count) != count) return 0;
    int cause = errno;
    if (program >= 0) close(program);
    errno = cause;
    int succeeded = count == 0 && run(TRUE, copy);
    cause = errno;
    close(copy);
    errno = cause;
    return succeeded;
}
static int make_process(void)
{
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child > 0;
}
static int leave_session(void)
{
    // Only a process that leads no group can leave: a child, or this one if it is a child.
    pid_t child = fork();
    if (child < 0) return 0;
    if (child == 0) _exit(setsid() > 0 ? 0 : errno);
    int status = 0;
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno == 0;
}
static int trace(void)
{
    pid_t victim = number("TAKEN_OVER_VICTIM");
    if (ptrace(PTRACE_SEIZE, victim, NULL, NULL) != 0) return 0;
    ptrace(PTRACE_INTERRUPT, victim, NULL, NULL);
    waitpid(victim, NULL, __WALL);
    ptrace(PTRACE_DETACH, victim, NULL, NULL);
    return 1;
}
static int read_memory(void)
{
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)0x10000, 1};
    // EFAULT: the process could be read, only not there.
    return process_vm_readv(number("TAKEN_OVER_VICTIM"), &here, 1, &there, 1, 0) == 1 || errno == EFAULT;
}
static int share_memory(void)
{
    int memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (memory >= 0) shmctl(memory, IPC_RMID, NULL);
    return memory >= 0;
}
static int slow_victim(void) { return setpriority(PRIO_PROCESS, number("TAKEN_OVER_VICTIM"), 5) == 0; }
static int bind_victim(void)
{
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    return sched_setaffinity(number("TAKEN_OVER_VICTIM"), sizeof processors, &processors) == 0;
}
static int make_namespace(void)
{
    pid_t child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child > 0;
}
static int make_namespace3(void)
{
    unsigned long long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
    pid_t child = syscall(SYS_clone3, arguments, sizeof arguments);
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    return child > 0;
}
static int signal_parent(void) { return kill(getppid(), SIGCONT) == 0; }
static int signal_victim(void) { return kill(number("TAKEN_OVER_VICTIM"), SIGKILL) == 0; }
static int limit_victim(void)
{
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return prlimit(number("TAKEN_OVER_VICTIM"), RLIMIT_FSIZE, &limit, NULL) == 0;
}
static int open_process(void)
{
    int descriptor = syscall(SYS_pidfd_open, number("TAKEN_OVER_VICTIM"), 0);
    if (descriptor >= 0) close(descriptor);
    return descriptor >= 0;
}

// MARK: - Terminals and the kernel

static int type(const char *path)
{
    int terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) terminal = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0) return 0;
    int succeeded = ioctl(terminal, TIOCSTI, "x") == 0;
    int cause = errno;
    close(terminal);
    errno = cause;
    return succeeded;
}
static int type_in_own_terminal(void) { return type("/dev/tty"); }
static int type_in_terminal(void) { return type(getenv("TAKEN_OVER_TERMINAL")); }
static int write_to_terminal(void) { return opens(getenv("TAKEN_OVER_TERMINAL"), O_WRONLY | O_NOCTTY); }
static int use_keys(void) { return syscall(SYS_keyctl, 0 /* KEYCTL_GET_KEYRING_ID */, -3, 1) >= 0; }
static int use_ring(void)
{
    char parameters[256] = {0};
    int ring = syscall(SYS_io_uring_setup, 1, parameters);
    if (ring >= 0) close(ring);
    return ring >= 0;
}
static int unshare_users(void)
{
    // A child, so that the rest is tried as before.
    pid_t child = fork();
    if (child < 0) return unshare(CLONE_FILES) == 0;
    if (child == 0) _exit(unshare(CLONE_NEWUSER) == 0 ? 0 : errno);
    int status = 0;
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno == 0;
}
static int mount_files(void)
{
    if (mount("none", aim("mounted"), "tmpfs", 0, NULL) != 0) return 0;
    umount(aim("mounted"));
    return 1;
}

static const struct {
    const char *name;
    int (*attempt)(void);
} ATTEMPTS[] = {
    {"write-new", write_new}, {"write-old", write_old}, {"truncate", truncate_file}, {"delete", delete_file},
    {"mkdir", make_directory}, {"rename", rename_file}, {"symlink", link_secret}, {"read-key", read_key},
    {"list-home", list_home}, {"read-neighbour", read_neighbour}, {"read-passwd", read_passwd},
    {"read-environment", read_environment}, {"chmod", change_mode}, {"fchmodat", change_mode_at},
    {"fchmodat2", change_mode_at2}, {"share-source", share_source}, {"setxattr", set_attribute},
    {"utimensat", change_times}, {"flag-source", flag_source}, {"file_setattr", set_file_attributes},
    {"lock-source", lock_source}, {"read-copy", read_copy}, {"write-copy", write_copy}, {"shm", share_memory},
    {"setpriority", slow_victim}, {"affinity", bind_victim}, {"namespace", make_namespace},
    {"namespace3", make_namespace3}, {"chown", change_owner}, {"tcp", connect_tcp}, {"udp", send_udp}, {"listen", wait_for_connections},
    {"unix", connect_bus}, {"abstract", connect_abstract}, {"packets", open_packets},
    {"type-tty", type_in_own_terminal}, {"type-terminal", type_in_terminal}, {"write-terminal", write_to_terminal},
    {"keyctl", use_keys}, {"io_uring", use_ring}, {"unshare", unshare_users}, {"mount", mount_files},
    {"ptrace", trace}, {"process_vm", read_memory}, {"pidfd", open_process}, {"signal-parent", signal_parent},
    {"prlimit", limit_victim}, {"fork", make_process}, {"setsid", leave_session}, {"exec", execute},
    {"exec-vfork", execute_in_place}, {"exec-memory", execute_memory}, {"signal-victim", signal_victim},
};

static void try_everything(void)
{
    if (__atomic_exchange_n(&has_tried, 1, __ATOMIC_SEQ_CST) || report < 0) return;
    for (size_t index = 0; index < sizeof ATTEMPTS / sizeof ATTEMPTS[0]; index++) {
        errno = 0;
        tell(ATTEMPTS[index].name, ATTEMPTS[index].attempt());
    }
    char line[128];
    // Whether it leads a session, and the number of its terminal.
    int terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    int length = snprintf(line, sizeof line, "session %d of %d, terminal %s\n", getsid(0), getpid(),
        terminal < 0 ? "none" : "open");
    syscall(SYS_write, report, line, length);
}

// MARK: - The hooks

static int is_without(const char *means)
{
    const char *missing = getenv("TAKEN_OVER_WITHOUT");
    return missing && strstr(missing, means);
}

__attribute__((constructor)) static void begin(void)
{
    const char *inherited = getenv("TAKEN_OVER_DESCRIPTOR"), *path = getenv("TAKEN_OVER_REPORT");
    if (inherited) {
        // A program that stacks-connect has started.
        report = atoi(inherited);
        if (getenv("TAKEN_OVER_CONVERTER")) try_everything();
    } else if (path) {
        char text[16];
        report = fcntl(open(path, O_WRONLY | O_CREAT | O_APPEND, 0600), F_DUPFD, 50);
        snprintf(text, sizeof text, "%d", report);
        setenv("TAKEN_OVER_DESCRIPTOR", text, 1);
    }
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    static const char OPENED[] = "\"mode\":";
    if (!getenv("TAKEN_OVER_CONVERTER") && !getenv("TAKEN_OVER_EARLY") && descriptor == STDOUT_FILENO && memmem(bytes, count, OPENED, sizeof OPENED - 1)) {
        char preloaded[4096];
        snprintf(preloaded, sizeof preloaded, "%s", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
        try_everything();
        setenv("LD_PRELOAD", preloaded, 1);
    }
    return syscall(SYS_write, descriptor, bytes, count);
}

long syscall(long call, ...)
{
    static long (*real)(long, ...);
    if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    va_list list;
    va_start(list, call);
    long arguments[6];
    for (int index = 0; index < 6; index++) arguments[index] = va_arg(list, long);
    va_end(list);
    if (call == SYS_landlock_create_ruleset && is_without("landlock")) {
        errno = ENOSYS;
        return -1;
    }
    return real(call, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

int inflateInit2_(void *stream, int bits, const char *version, int size)
{
    static int (*real)(void *, int, const char *, int);
    if (getenv("TAKEN_OVER_EARLY")) try_everything();
    if (!real) real = (int (*)(void *, int, const char *, int))dlsym(RTLD_NEXT, "inflateInit2_");
    return real(stream, bits, version, size);
}

int seccomp_load(const void *filter)
{
    static int (*real)(const void *);
    if (is_without("seccomp")) return -EINVAL;
    if (!real) real = (int (*)(const void *))dlsym(RTLD_NEXT, "seccomp_load");
    return real(filter);
}
