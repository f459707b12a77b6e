internal import CSystem
internal import Glibc

/// The directories of the user's files (XDG Base Directory Specification 0.8); each is nil if HOME is not set.
public struct Directories: Hashable, Sendable {
    /// The directory for state that the program restores, such as its last position.
    public var state: String?
    /// The directory for user data.
    public var data: String?
    /// The directory for files that may be deleted at any time.
    public var cache: String?
    /// The reason why there is no such directory, if another user could have written its files.
    public var cacheDistrust: FileError?

    /// Whether a server or another program provides the cache, so that reading it may take seconds.
    public var isCacheRemote: Bool { cache.map { cs_is_remote($0) } ?? false }
    /// The directory for configuration, which changes only on the user's request.
    public var config: String?

    /// Creates a set of directories for the program's files; nil means unavailable.
    public init(state: String?, data: String?, cache: String?, config: String?) {
        self.state = state
        self.data = data
        self.cache = cache
        self.config = config
    }

    /// Returns the directories of `program` according to the environment.
    public static func ofEnvironment(program: String = "stacks") -> Directories {
        func directory(_ variable: String, fallback: String) -> String? {
            // The specification says to ignore relative paths.
            if let path = environmentValue(variable), path.hasPrefix("/") { return path + "/" + program }
            guard let home = environmentValue("HOME"), home.hasPrefix("/") else { return nil }
            return home + "/" + fallback + "/" + program
        }
        let cache = directory("XDG_CACHE_HOME", fallback: ".cache")
        let distrust = cache.flatMap { FileError(distrustingDirectory: $0) }
        var directories = Directories(
            state: directory("XDG_STATE_HOME", fallback: ".local/state"),
            data: directory("XDG_DATA_HOME", fallback: ".local/share"),
            cache: distrust == nil ? cache : nil,
            config: directory("XDG_CONFIG_HOME", fallback: ".config"))
        directories.cacheDistrust = distrust
        return directories
    }
}

/// Returns the value of an environment variable, or nil if it is unset or empty.
public func environmentValue(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}

/// Returns whether files can be created in the directory at `path`, or in its nearest existing ancestor if it does not
/// exist.
public func canWrite(inDirectory path: String) -> Bool {
    if access(path, W_OK | X_OK) == 0 { return true }
    return errno == ENOENT && path != "/" && path != "." && canWrite(inDirectory: directory(of: path))
}
