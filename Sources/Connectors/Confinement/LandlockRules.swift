internal import CSystem
internal import Glibc

/// Rules for the accesses of this process to files, TCP and other processes: landlock(7). What they do not allow is
/// forbidden as soon as they are enforced, but for files and connections that are open already.
///
/// The bits are those of landlock_create_ruleset(2). Older kernels know fewer of them; those are left out.
final class LandlockRules {
    /// Accesses to files.
    struct FileAccess: OptionSet {
        let rawValue: UInt64

        static let execute = FileAccess(rawValue: 1 << 0)
        static let writeFile = FileAccess(rawValue: 1 << 1)
        static let readFile = FileAccess(rawValue: 1 << 2)
        static let readDirectory = FileAccess(rawValue: 1 << 3)
        static let removeFile = FileAccess(rawValue: 1 << 5)
        static let makeFile = FileAccess(rawValue: 1 << 8)
        static let truncate = FileAccess(rawValue: 1 << 14)

        /// Reading files, and the names in a directory.
        static let reading: FileAccess = [.readFile, .readDirectory]
        /// Creating, changing and deleting files, but no directories, links and other kinds of files.
        static let writing: FileAccess = [.writeFile, .removeFile, .makeFile, .truncate]

        /// Those that the rules of a file, rather than a directory, can allow.
        fileprivate static let ofFiles: FileAccess = [.execute, .writeFile, .readFile, .truncate]

        /// All that a version of the interface knows.
        fileprivate static func all(inVersion version: Int) -> FileAccess {
            // Linking into another directory, truncating, and the controls of devices came later than the first 13.
            let count = [1: 13, 2: 14, 3: 15, 4: 15][version] ?? 16
            return FileAccess(rawValue: (1 << count) - 1)
        }
    }

    /// The version of the interface that the rules use.
    let version: Int
    private let rules: Int32
    /// The accesses that the kernel knows.
    private let known: FileAccess

    /// The latest version of the interface that is used here.
    private static let latestVersion = 6

    /// Creates rules that allow nothing but, if `connects` is set, connections to servers by TCP; fails if the kernel has
    /// no Landlock.
    init?(connects: Bool) {
        version = min(Int(cs_landlock_version()), Self.latestVersion)
        known = .all(inVersion: version)
        if version < 1 { return nil }
        // Waiting for connections, and making them.
        let network: UInt64 = version < 4 ? 0 : connects ? 0b01 : 0b11
        // Abstract Unix sockets and signals of processes outside.
        let scopes: UInt64 = version < 6 ? 0 : 0b11
        rules = cs_landlock_rules(known.rawValue, network, scopes)
        if rules < 0 { return nil }
    }

    deinit { close(rules) }

    /// Allows accesses to the file at `path`, or to all that is below a directory; nothing if there is none.
    func allow(_ access: FileAccess, to path: String) {
        let access = access.intersection(known)
        _ = cs_landlock_allow(rules, path, access.rawValue, FileAccess.ofFiles.rawValue)
    }

    /// Enforces the rules on this thread, and on the threads and programs that it starts.
    ///
    /// - Returns: Whether they are in force.
    func enforce() -> Bool { cs_landlock_enforce(rules) }
}
