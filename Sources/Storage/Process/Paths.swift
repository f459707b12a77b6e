internal import CSystem
internal import Glibc
internal import Threading

/// Returns the path of the directory that contains `path`.
func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Returns the last component of `path`, or the path itself if it has none.
public func fileName(of path: String) -> String {
    var rest = path[...]
    while rest.utf8.last == UInt8(ascii: "/") { rest.removeLast() }
    if rest.isEmpty { return path }
    guard let slash = rest.lastIndex(of: "/") else { return String(rest) }
    return String(rest[rest.index(after: slash)...])
}

/// Returns the absolute path with symbolic links resolved, or nil if the file does not exist.
public func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// Whether there is a file at `path` that is neither a directory nor a device, pipe or socket.
public func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Returns whether two paths lead to the same existing file, by symbolic or hard links, too.
public func isSameFile(_ first: String, _ second: String) -> Bool {
    var (left, right) = (stat(), stat())
    return stat(first, &left) == 0 && stat(second, &right) == 0 && left.st_dev == right.st_dev
        && left.st_ino == right.st_ino
}

/// Held while directories are made: what is in a directory survives a power failure only once its parent, too, was
/// synchronized, perhaps by another thread.
private let makingDirectories = Locked(())

/// Creates a directory and its missing ancestors, with the permissions 0700.
func makeDirectories(_ path: String) throws(FileError) {
    try makingDirectories.withLock { _ throws(FileError) in try makeDirectoriesAlone(path) }
}

private func makeDirectoriesAlone(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) != 0 {
        if errno == EEXIST || path == "/" { return }
        guard errno == ENOENT else { throw FileError(path: path, operation: .makeDirectory, code: errno) }
        try makeDirectoriesAlone(directory(of: path))
        if mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw FileError(path: path, operation: .makeDirectory, code: errno)
        }
    }
    // A new directory survives a power failure only if its parent was synchronized.
    try syncDirectory(directory(of: path))
}

/// Creates a directory and its missing ancestors, with the permissions 0700.
public func makeDirectory(_ path: String) throws(FileError) { try makeDirectories(path) }

/// Creates directories in the background, so that the first change that is saved there need not wait for them.
public func makeDirectoriesAhead(_ paths: [String]) {
    // If that fails, saving the change says why.
    BackgroundThread.start { for path in paths { try? makeDirectories(path) } }
}

/// Writes a file that only its owner can read, and that may be lost in a power failure.
///
/// - Throws: `FileError`; a part of the file may be left.
public func createFile(at path: String, _ bytes: [UInt8]) throws(FileError) {
    try FileDescriptor(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW).write(bytes)
}

/// Replaces a file, which need not exist, with a complete one; the new file is on disk afterwards.
///
/// - Throws: `FileError`; the old file is still there, unless only the directory could not be synchronized.
public func replaceFile(_ path: String, by new: String) throws(FileError) {
    try FileDescriptor(new, O_RDONLY).sync()
    guard rename(new, path) == 0 else { throw FileError(path: path, operation: .rename, code: errno) }
    try syncDirectory(directory(of: path))
}

/// Deletes a directory and the files in it; it must not contain directories.
///
/// - Throws: `FileError` for the first file that cannot be deleted.
public func deleteDirectory(_ path: String) throws(FileError) {
    for name in try fileNames(inDirectory: path) where unlink("\(path)/\(name)") != 0 && errno != ENOENT {
        guard errno == EISDIR else { throw FileError(path: "\(path)/\(name)", operation: .write, code: errno) }
        try deleteDirectory("\(path)/\(name)")
    }
    guard rmdir(path) == 0 else { throw FileError(path: path, operation: .write, code: errno) }
}

/// Returns the size in bytes of the file at `path`, or of all files in and below it if it is a directory; links are not
/// followed.
public func sizeOfFiles(below path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    return ((try? fileNames(inDirectory: path)) ?? []).reduce(0) { $0 + sizeOfFiles(below: "\(path)/\($1)") }
}

/// Waits until the entries of a directory are on disk.
func syncDirectory(_ path: String) throws(FileError) {
    try FileDescriptor(path, O_RDONLY | O_DIRECTORY).sync()
}

/// Returns the path with "~" for the home directory.
public func abbreviatedPath(_ path: String) -> String {
    guard let home = environmentValue("HOME"), home != "/", path.hasPrefix(home + "/") else { return path }
    return "~" + path.dropFirst(home.count)
}

/// Returns the path with the home directory for "~" at its beginning.
public func expandedPath(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = environmentValue("HOME") else { return path }
    return home + path.dropFirst()
}

/// Returns the path as an absolute one, from the current directory on.
public func absolutePath(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = resolvedPath(".") else { return path }
    return current == "/" ? "/" + path : current + "/" + path
}

/// Returns the sorted names of the entries of a directory, except those that start with a dot.
///
/// - Throws: `FileError`; a missing directory costs a single system call.
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
