internal import Glibc

/// The directory that `path` stands in.
func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The last part of `path`, which is the name of the file; the path itself where it has none.
public func fileName(of path: String) -> String {
    var rest = path[...]
    while rest.utf8.last == UInt8(ascii: "/") { rest.removeLast() }
    if rest.isEmpty { return path }
    guard let slash = rest.lastIndex(of: "/") else { return String(rest) }
    return String(rest[rest.index(after: slash)...])
}

/// The absolute path without links, or nil where there is no such file.
public func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Makes a directory and those above it, for their owner only, where they are missing.
func makeDirectories(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) != 0 {
        if errno == EEXIST || path == "/" { return }
        guard errno == ENOENT else { throw FileError(path: path, operation: .makeDirectory, code: errno) }
        try makeDirectories(directory(of: path))
        if mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw FileError(path: path, operation: .makeDirectory, code: errno)
        }
    }
    // A directory is only there after a power cut where the one it is in was synchronised.
    try syncDirectory(directory(of: path))
}

/// Waits until the names in a directory are on the disk.
func syncDirectory(_ path: String) throws(FileError) {
    try FileDescriptor(path, O_RDONLY | O_DIRECTORY).sync()
}

/// The path as a person writes it: with "~" for the home directory.
public func abbreviatedPath(_ path: String) -> String {
    guard let home = environmentValue("HOME"), home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
}

/// The names of what is in a directory, sorted, without those that begin with a point.
///
/// - Throws: `FileError`; where there is no such directory after a single call of the system.
public func fileNames(inDirectory path: String) throws(FileError) -> [String] {
    guard let directory = opendir(path) else { throw FileError(path: path, operation: .open, code: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
            String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}
