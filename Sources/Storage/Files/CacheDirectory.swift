internal import CSystem
internal import Glibc

/// A directory of computed files that can be computed again: anyone may delete them at any time, and the oldest are
/// deleted if their total size exceeds the limit.
///
/// A file is renamed to its name once it is complete and never changes afterwards; therefore it is mapped. If another
/// program truncates it nevertheless, it counts as damaged.
public struct CacheDirectory: Sendable {
    /// The path of the directory.
    public let path: String
    /// The maximum total size of the files in bytes.
    private let limit: Int

    /// Creates a reference to the directory at `path`, which need not exist yet, with a size limit in bytes.
    public init(path: String, limit: Int = 2 << 30) {
        self.path = path
        self.limit = limit
    }

    /// Whether a server or another program provides the directory, so that reading it may take seconds. One system call.
    public var isRemote: Bool { cs_is_remote(path) }

    /// Maps the file `name`; returns nil if it cannot be opened.
    public func file(_ name: String) -> MappedFile? {
        MappedFile(path: path + "/" + name)
    }

    /// Returns whether there is a file `name`.
    public func has(_ name: String) -> Bool { access(path + "/" + name, F_OK) == 0 }

    /// Deletes the file `name`, which need not exist.
    public func delete(_ name: String) { unlink(path + "/" + name) }

    /// Updates the modification time of the file `name`, so that older files are deleted before it.
    public func touch(_ name: String) {
        utimensat(AT_FDCWD, path + "/" + name, nil, 0)
    }

    /// Writes the file `name` from the chunks that `make` passes on in order, then deletes the oldest files above the
    /// size limit.
    ///
    /// - Throws: `FileError`; nothing has changed then.
    public func write(
        _ name: String,
        _ make: ((UnsafeRawBufferPointer) throws(FileError) -> Void) throws(FileError) -> Void
    ) throws(FileError) {
        try makeDirectories(path)
        // The file has no name until it is complete, so that an interrupted write leaves nothing behind.
        let file = try FileDescriptor(temporaryIn: path)
        try make { bytes throws(FileError) in try file.write(bytes) }
        try file.sync()
        // If two processes compute the same file, the later one wins.
        let number = UInt64.random(in: .min ... .max)
        let temporary = "\(path)/\(name).\(number.hexadecimal)\(Self.temporarySuffix)"
        guard linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0,
            rename(temporary, path + "/" + name) == 0
        else {
            let error = FileError(path: temporary, operation: .rename, code: errno)
            unlink(temporary)
            throw error
        }
        trim(keeping: name)
    }

    /// Deletes the oldest files above the size limit. Linear in the files.
    public func trim() { trim(keeping: nil) }

    private static let temporarySuffix = ".tmp"

    private struct Entry {
        var name: String
        var size: Int
        var modified: Int
    }

    /// Deletes temporary files older than an hour, which crashes left behind, and the oldest files above the size
    /// limit.
    private func trim(keeping kept: String?) {
        var entries = entries.sorted { $0.modified > $1.modified }
        let hourAgo = Int(time(nil) - 3600) * 1_000_000_000
        entries.removeAll { entry in
            guard entry.name.hasSuffix(Self.temporarySuffix) else { return false }
            if entry.modified < hourAgo { unlink(path + "/" + entry.name) }
            return true
        }
        var total = 0
        for entry in entries {
            total += entry.size
            if total > limit && entry.name != kept { unlink(path + "/" + entry.name) }
        }
    }

    private var entries: [Entry] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var entries: [Entry] = []
        while let found = readdir(directory) {
            let name = withUnsafePointer(to: &found.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let fingerprint = RandomAccessInput.Fingerprint(ofFileAt: path + "/" + name), !name.hasPrefix(".")
            else {
                continue
            }
            entries.append(Entry(name: name, size: fingerprint.size, modified: fingerprint.modified))
        }
        return entries
    }
}

// Unchecked, since the compiler cannot know that nobody writes to the pages.
/// A read-only memory mapping of a file. Use it only for files that never change: reading a truncated one gives zeros.
public final class MappedFile: @unchecked Sendable {
    /// The mapped bytes.
    public let bytes: UnsafeRawBufferPointer
    private let file: FileDescriptor
    private let mapping: Int32

    /// Maps the file at `path`; fails if it is empty or cannot be mapped.
    init?(path: String) {
        guard let file = try? FileDescriptor(path, O_RDONLY | O_NONBLOCK),
            let size = try? Int(file.status.st_size), size > 0
        else { return nil }
        var memory: UnsafeRawPointer?
        mapping = cs_map_file(file.number, size, &memory)
        if mapping < 0 { return nil }
        self.file = file
        bytes = UnsafeRawBufferPointer(start: memory, count: size)
    }

    deinit { cs_unmap_file(mapping) }

    /// Whether the bytes are no longer those of the complete file, because it was truncated or cannot be read. One
    /// system call.
    public var isDamaged: Bool {
        cs_is_mapping_damaged(mapping) || (try? Int(file.status.st_size)) != bytes.count
    }
}
