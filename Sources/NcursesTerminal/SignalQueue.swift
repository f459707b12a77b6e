internal import CSystem
internal import Glibc

/// The signals that the terminal program handles, read from a descriptor instead of interrupting the program.
struct SignalQueue: ~Copyable {
    /// The signals that ask the program to end.
    private static let terminations = [SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// The meaning of a signal.
    enum Notice {
        case termination(Int32), windowChanged, stopRequested, continued
    }

    /// The descriptor that is readable while a signal is pending.
    let descriptor: Int32
    /// The descriptor that is readable while a termination signal is pending; used only with poll(), since `takeAll`
    /// reads the signals.
    let terminationDescriptor: Int32
    private var hasTakenTermination = false
    private let originalMask: sigset_t
    /// The handled signals. Signals that the parent process made the program ignore, as nohup does, are excluded and
    /// stay ignored: if they were blocked, they would be reported.
    private let numbers: [Int32]

    /// Unblocks the termination signals: the parent process can leave them blocked, as bash sometimes does, and then a
    /// stopped background job could not be terminated.
    static func unblockTerminations() {
        var terminations = set(of: terminations)
        pthread_sigmask(SIG_UNBLOCK, &terminations, nil)
    }

    /// Blocks the signals for this thread and the threads that it starts; call it before starting any thread.
    init() throws(TerminalError) {
        let terminations = Self.terminations.filter { !cs_is_ignored($0) }
        numbers = terminations + [SIGTSTP].filter { !cs_is_ignored($0) }
        var reported = Self.set(of: numbers + [SIGWINCH, SIGCONT])
        // SIGTTOU would stop a background job while it restores the terminal, even on its way to end.
        var blocked = Self.set(of: numbers + [SIGWINCH, SIGCONT, SIGTTOU])
        var original = sigset_t()
        pthread_sigmask(SIG_BLOCK, &blocked, &original)
        originalMask = original
        descriptor = signalfd(-1, &reported, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        var ending = Self.set(of: terminations)
        terminationDescriptor = signalfd(-1, &ending, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        if descriptor < 0 || terminationDescriptor < 0 { throw .system(errno) }
    }

    deinit {
        _ = close(descriptor)
        _ = close(terminationDescriptor)
    }

    /// Whether the program was asked to end, including requests that `takeAll` has already returned.
    var isTerminationRequested: Bool {
        var descriptor = pollfd(fd: terminationDescriptor, events: Int16(POLLIN), revents: 0)
        return hasTakenTermination || poll(&descriptor, 1, 0) > 0
    }

    /// Returns all pending signals.
    mutating func takeAll() -> [Notice] {
        var notices: [Notice] = []
        var info = signalfd_siginfo()
        while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
            switch Int32(info.ssi_signo) {
            case SIGWINCH: notices.append(.windowChanged)
            case SIGTSTP: notices.append(.stopRequested)
            case SIGCONT: notices.append(.continued)
            case let number:
                hasTakenTermination = true
                notices.append(.termination(number))
            }
        }
        return notices
    }

    /// Restores the default handling of signals.
    func unblock() {
        // The signal handlers of ncurses would restore the terminal a second time.
        for number in numbers { signal(number, SIG_DFL) }
        var mask = originalMask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Stops the process group as ^z does, and returns once it is continued. The system does not stop a group that
    /// nobody could continue because it has no shell.
    func stop() {
        var mask = Self.set(of: [SIGTSTP])
        // The signal handler of ncurses would restore the terminal a second time.
        signal(SIGTSTP, SIG_DFL)
        // Stop the whole group: if `make` started the program, the shell waits for both.
        kill(0, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    private static func set(of numbers: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        return set
    }
}
