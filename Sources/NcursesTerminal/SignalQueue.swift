internal import CSystem
internal import Glibc

/// The signals that a terminal program acts on, read from a descriptor in place of interrupting it.
struct SignalQueue: ~Copyable {
    /// The signals that ask the program to end.
    private static let terminations = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// What a signal means to a terminal program.
    enum Notice {
        case termination(Int32), windowChanged, stopRequested, continued
    }

    /// Readable when a signal is waiting.
    let descriptor: Int32
    private let originalMask: sigset_t

    /// Blocks the signals for this thread and those it starts, so it must come before any of these.
    init() throws(TerminalError) {
        var mask = sigset_t()
        var original = sigset_t()
        sigemptyset(&mask)
        // What whoever started us made us ignore, as nohup does, stays ignored: blocked, it would be reported.
        for number in Self.terminations + [SIGTSTP] where !cs_is_ignored(number) { sigaddset(&mask, number) }
        for number in [SIGWINCH, SIGCONT] { sigaddset(&mask, number) }
        pthread_sigmask(SIG_BLOCK, &mask, &original)
        originalMask = original
        descriptor = signalfd(-1, &mask, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        if descriptor < 0 { throw .system(errno) }
    }

    deinit { _ = close(descriptor) }

    /// All that are waiting.
    func takeAll() -> [Notice] {
        var notices: [Notice] = []
        var info = signalfd_siginfo()
        while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            switch Int32(info.ssi_signo) {
            case SIGWINCH: notices.append(.windowChanged)
            case SIGTSTP: notices.append(.stopRequested)
            case SIGCONT: notices.append(.continued)
            case let number: notices.append(.termination(number))
            }
        }
        return notices
    }

    /// Gives signals their usual course again.
    func unblock() {
        var mask = originalMask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Stops the process group, as ^z does, and returns when it is continued. Where nobody could continue it (it has no
    /// shell), the system does not stop it.
    func stop() {
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGTSTP)
        // ncurses has a handler of its own here, which would give the terminal back a second time.
        signal(SIGTSTP, SIG_DFL)
        // The whole group: where `make` started the program, the shell waits for both.
        kill(0, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }
}
