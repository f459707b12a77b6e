import Foundation
import Glibc

/// A child process in a separate session. It is killed when the test releases it.
final class ChildProcess {
    /// The way in which a process ended.
    enum Ending: Hashable {
        case exit(Int32)
        case signal(Int32)
    }

    /// The resources that a process used.
    struct Usage {
        var processorTime: Duration
    }

    let id: pid_t
    private(set) var ending: Ending?
    private(set) var usage = Usage(processorTime: .zero)

    /// The standard streams of a process.
    enum Streams {
        /// All three to the terminal at this path, which becomes the controlling terminal.
        case terminal(String)
        /// Standard input from /dev/null, the others to these descriptors.
        case descriptors(output: Int32, error: Int32)
    }

    /// Starts `command`: the path of a program and its arguments.
    init(_ command: [String], environment: [String: String], streams: Streams) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch streams {
        case .terminal(let path):
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
        case .descriptors(let output, let error):
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_adddup2(&actions, output, 1)
            posix_spawn_file_actions_adddup2(&actions, error, 2)
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        // POSIX_SPAWN_SETSID is declared only with _GNU_SOURCE.
        let newSession: Int32 = 0x80
        let flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))

        withoutCoreDumps()
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawn(&id, command[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw Failure("\(command[0]) cannot be started: \(String(cString: strerror(code)))") }
        self.id = id
    }

    deinit {
        guard ending == nil else { return }
        kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// Sends a signal to the process.
    func send(_ signal: Int32) {
        if ending == nil { kill(id, signal) }
    }

    /// Returns how the process ended, or nil if it is still running.
    func poll() -> Ending? {
        if let ending { return ending }
        var status: Int32 = 0
        var used = rusage()
        guard wait4(id, &status, WNOHANG, &used) == id else { return nil }
        usage.processorTime = Duration(used.ru_utime) + Duration(used.ru_stime)
        // WIFSIGNALED and similar names are macros.
        ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
        return ending
    }
}

/// Disables core dumps, because some child processes crash deliberately.
private func withoutCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
}

extension Duration {
    init(_ time: timeval) {
        self = .seconds(time.tv_sec) + .microseconds(Int64(time.tv_usec))
    }
}

/// Returns the processes that a process has started and that still exist, by whichever of its threads.
func children(of id: pid_t) -> [pid_t] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")) ?? []
    return threads.flatMap { thread in
        let list = try? String(contentsOfFile: "/proc/\(id)/task/\(thread)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
    }
}
