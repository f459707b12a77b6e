internal import Glibc

/// Where the reader's files are: the XDG base directories (XDG Base Directory Specification 0.8).
public struct Directories: Hashable, Sendable {
    /// Where the program stood when it ended; nil where the reader has no home.
    public var state: String?
    /// What the reader made; nil where the reader has no home.
    public var data: String?
    /// What may be deleted at any time; nil where the reader has no home.
    public var cache: String?
    /// What only the reader changes, or asks to be changed; nil where the reader has no home.
    public var config: String?

    /// The directories that these hold for `program`; a nil one is not to be had.
    public init(state: String?, data: String?, cache: String?, config: String?) {
        self.state = state
        self.data = data
        self.cache = cache
        self.config = config
    }

    /// The directories of `program` that the environment names.
    public static func ofEnvironment(program: String = "stacks") -> Directories {
        func directory(_ variable: String, fallback: String) -> String? {
            // The specification has relative paths ignored.
            if let path = environmentValue(variable), path.hasPrefix("/") { return path + "/" + program }
            guard let home = environmentValue("HOME"), home.hasPrefix("/") else { return nil }
            return home + "/" + fallback + "/" + program
        }
        return Directories(
            state: directory("XDG_STATE_HOME", fallback: ".local/state"),
            data: directory("XDG_DATA_HOME", fallback: ".local/share"),
            cache: directory("XDG_CACHE_HOME", fallback: ".cache"),
            config: directory("XDG_CONFIG_HOME", fallback: ".config"))
    }
}

/// The value of an environment variable, or nil where it is unset or empty.
public func environmentValue(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}

/// Whether files could be made in the directory at `path`, or in the nearest one above it where it does not exist.
public func canWrite(inDirectory path: String) -> Bool {
    if access(path, W_OK | X_OK) == 0 { return true }
    return errno == ENOENT && path != "/" && path != "." && canWrite(inDirectory: directory(of: path))
}
