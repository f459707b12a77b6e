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
    /// Readable when a signal is waiting that asks the program to end; `takeAll` takes it, and nobody reads it here.
    let terminationDescriptor: Int32
    private var hasTakenTermination = false
    private let originalMask: sigset_t
    /// Those that the program acts on: not what whoever started it made it ignore, as nohup does. That stays ignored;
    /// blocked, it would be reported.
    private let numbers: [Int32]

    /// Lets the signals that ask the program to end do so: whoever started it may have left them blocked, as bash does now
    /// and then, and a job that is stopped in the background could not be ended.
    static func admitTerminations() {
        var terminations = set(of: terminations)
        pthread_sigmask(SIG_UNBLOCK, &terminations, nil)
    }

    /// Blocks the signals for this thread and those it starts, so it must come before any of these.
    init() throws(TerminalError) {
        let terminations = Self.terminations.filter { !cs_is_ignored($0) }
        numbers = terminations + [SIGTSTP].filter { !cs_is_ignored($0) }
        var reported = Self.set(of: numbers + [SIGWINCH, SIGCONT])
        // A job in the background must not be stopped for giving the terminal back, least of all to end.
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

    /// Whether the program was asked to end, be it that `takeAll` has said so or will.
    var isTerminationRequested: Bool {
        var descriptor = pollfd(fd: terminationDescriptor, events: Int16(POLLIN), revents: 0)
        return hasTakenTermination || poll(&descriptor, 1, 0) > 0
    }

    /// All that are waiting.
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

    /// Gives signals their usual course again.
    func unblock() {
        // ncurses has handlers of its own, which would give the terminal back a second time.
        for number in numbers { signal(number, SIG_DFL) }
        var mask = originalMask
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Stops the process group, as ^z does, and returns when it is continued. Where nobody could continue it (it has no
    /// shell), the system does not stop it.
    func stop() {
        var mask = Self.set(of: [SIGTSTP])
        // The handler of ncurses would give the terminal back a second time.
        signal(SIGTSTP, SIG_DFL)
        // The whole group: where `make` started the program, the shell waits for both.
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
