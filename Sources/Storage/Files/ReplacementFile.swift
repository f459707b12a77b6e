internal import CSystem
internal import Glibc

/// A file that is written piece by piece and replaces the file at its path only when it is complete.
///
/// Until then the bytes are in a temporary file beside it, which is deleted if the file is not completed.
public final class ReplacementFile {
    /// The kind of entry that already exists at a path.
    public enum Occupant: Hashable, Sendable {
        /// A regular file, which can be replaced.
        case file
        /// A directory, device or pipe, which cannot be replaced.
        case other
    }

    private let path: String
    private let target: String
    private let temporary: String
    private let file: FileDescriptor
    /// Whether the file is complete and at its path.
    public private(set) var isCompleted = false

    /// Creates an empty file that will replace the one at `path`: if that is a symbolic link, the file that it leads to,
    /// or the link itself.
    public init(path: String, followsLink: Bool = true) throws(FileError) {
        self.path = path
        target = followsLink ? resolvedPath(path) ?? path : path
        // A random number: a process of another machine or container may have the same process ID.
        temporary = "\(target).\(UInt64.random(in: .min ... .max).hexadecimal).tmp"
        // The mode is private until the file gets the mode of the file that it replaces.
        file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    deinit { if !isCompleted { unlink(temporary) } }

    /// Returns the kind of entry at `path`, if one exists.
    public static func occupant(of path: String) -> Occupant? {
        var status = stat()
        if stat(path, &status) != 0 {
            // A dangling symbolic link counts as an entry too.
            return lstat(path, &status) == 0 ? .other : nil
        }
        return status.st_mode & S_IFMT == S_IFREG ? .file : .other
    }

    /// The path of the temporary file.
    public var temporaryPath: String { temporary }

    /// Deletes the temporary files that killed processes left beside the file at `path`. No other process may be
    /// replacing the file.
    public static func deleteLeftOvers(of path: String) {
        let target = resolvedPath(path) ?? path
        let start = fileName(of: target) + "."
        guard let stream = opendir(directory(of: target)) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let middle = name.dropFirst(start.count).dropLast(4)
            guard name.hasPrefix(start), name.hasSuffix(".tmp"), middle.count == 16,
                middle.allSatisfy({ $0.isHexDigit && !$0.isUppercase })
            else { continue }
            unlink(directory(of: target) + "/" + name)
        }
    }

    /// Appends `bytes`.
    public func append(_ bytes: [UInt8]) throws(FileError) { try file.write(bytes) }

    /// Appends the bytes of `input` in `range`, without reading them if the file system can copy ranges.
    ///
    /// - Parameter isStopped: Whether to stop; called now and then.
    /// - Throws: `FileError` with ECANCELED if it was stopped.
    public func append(
        _ range: Range<Int>, of input: RandomAccessInput, unless isStopped: () -> Bool = { false }
    ) throws(FileError) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.copiedCount) {
            if isStopped() { throw FileError(path: path, operation: .write, code: ECANCELED) }
            let count = min(Self.copiedCount, range.upperBound - start)
            let code = cs_copy_bytes(input.descriptor, Int64(start), Int64(count), file.number)
            if code != 0 { throw FileError(path: path, operation: .write, code: code) }
        }
    }

    /// The number of bytes that are copied before the copying can be stopped.
    private static let copiedCount = 64 << 20

    /// Replaces the file of `input`, of which this is a changed copy: the new file gets its owner, mode and extended
    /// attributes, and a symbolic link to `input` stays a link.
    ///
    /// - Parameters:
    ///   - fingerprint: The state of `input` when it was read.
    ///   - prepare: Called before the replacement, with the fingerprint of the new file.
    /// - Returns: False if the file at the path has changed in the meantime; it is not replaced then.
    /// - Throws: `FileError`; `input` is still there, or the new file if only the directory could not be synchronized.
    public func complete(
        replacing input: RandomAccessInput, of fingerprint: RandomAccessInput.Fingerprint,
        preparing prepare: (RandomAccessInput.Fingerprint) throws(FileError) -> Void = { _ in }
    ) throws(FileError) -> Bool {
        let code = cs_copy_attributes(input.descriptor, file.number)
        if code != 0 { throw FileError(path: path, operation: .write, code: code) }
        try file.sync()
        try prepare(RandomAccessInput.Fingerprint(try file.status))
        guard RandomAccessInput.Fingerprint(ofFileAt: target) == fingerprint else { return false }
        if rename(temporary, target) != 0 { throw FileError(path: path, operation: .rename, code: errno) }
        isCompleted = true
        try syncDirectory(directory(of: target))
        return true
    }

    /// The mode of a new file.
    private static var newMode: mode_t {
        let mask = umask(0)
        umask(mask)
        return 0o666 & ~mask
    }

    private func setMode(_ mode: mode_t) throws(FileError) {
        if fchmod(file.number, mode) != 0 { throw FileError(path: path, operation: .write, code: errno) }
    }

    /// The reason why a file cannot be replaced by a changed copy.
    public enum Obstacle: Hashable, Sendable {
        /// The file is write-protected.
        case writeProtected
        /// The directory does not allow new files.
        case directoryWriteProtected
        /// The file belongs to another user or group, and its copy cannot be given to them.
        case otherOwner
        /// The file has further hard links, which would keep the old content.
        case hardLinks
        /// The path refers to a pipe, a device or a directory.
        case notAFile
    }

    /// Returns the reason why the file at `path` cannot be replaced by a changed copy, as far as it can be known in
    /// advance.
    public static func obstacle(toReplacing path: String) -> Obstacle? {
        let target = resolvedPath(path) ?? path
        var status = stat()
        guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return .notAFile }
        if access(target, W_OK) != 0 { return .writeProtected }
        if status.st_nlink > 1 { return .hardLinks }
        if access(directory(of: target), W_OK | X_OK) != 0 { return .directoryWriteProtected }
        return mayOwn(status, in: directory(of: target)) ? nil : .otherOwner
    }

    /// Whether this process may give a new file in `directory` the owner and group in `status`.
    private static func mayOwn(_ status: stat, in directory: String) -> Bool {
        if geteuid() == 0 { return true }
        if status.st_uid != geteuid() { return false }
        var parent = stat()
        let inheritsGroup = stat(directory, &parent) == 0 && parent.st_mode & S_ISGID != 0
        if status.st_gid == (inheritsGroup ? parent.st_gid : getegid()) { return true }
        var groups = [gid_t](repeating: 0, count: 1 << 16)
        let count = getgroups(Int32(groups.count), &groups)
        return status.st_gid == getegid() || groups.prefix(max(0, Int(count))).contains(status.st_gid)
    }

    /// Moves the file to its path, with the mode of the file that it replaces.
    ///
    /// - Parameters:
    ///   - overwrites: Whether an existing file may be replaced.
    ///   - isPrivate: Whether the file is only for the user, whatever the mode of an existing one is.
    /// - Throws: `FileError`; an existing file is still there, or the new one if only the directory could not be
    ///   synchronized.
    public func complete(overwriting overwrites: Bool, privately isPrivate: Bool = false) throws(FileError) {
        try file.sync()
        if overwrites {
            var status = stat()
            // It was created with this mode.
            if !isPrivate { try setMode(stat(target, &status) == 0 ? status.st_mode & 0o7777 : Self.newMode) }
            if rename(temporary, target) != 0 { throw FileError(path: path, operation: .rename, code: errno) }
        } else {
            try setMode(Self.newMode)
            if cs_rename_to_new(temporary, target) != 0 {
                throw FileError(path: path, operation: .rename, code: errno)
            }
        }
        isCompleted = true
        try syncDirectory(directory(of: target))
    }
}
