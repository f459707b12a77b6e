internal import CSystem
internal import Glibc

/// A directory of files that were computed and may be computed again: anybody may delete them at any time, and the
/// oldest go where they become too many.
///
/// A file is only ever put in its place whole, and never changed there. So it may be mapped.
public struct CacheDirectory: Sendable {
    /// Its path.
    public let path: String
    /// How many bytes the files may have together.
    private let limit: Int

    /// The directory at `path`, which need not exist yet.
    public init(path: String, limit: Int = 2 << 30) {
        self.path = path
        self.limit = limit
    }

    /// The file called `name`; nil where there is none.
    public func file(_ name: String) -> MappedFile? {
        MappedFile(path: path + "/" + name)
    }

    /// Notes that the file called `name` was used: others go before it.
    public func touch(_ name: String) {
        utimensat(AT_FDCWD, path + "/" + name, nil, 0)
    }

    /// Puts a file called `name` in its place, made of the bytes that `make` hands on one after another; then deletes
    /// the oldest files, where there are too many.
    ///
    /// - Throws: `FileError`; nothing has changed then.
    public func write(
        _ name: String,
        _ make: ((UnsafeRawBufferPointer) throws(FileError) -> Void) throws(FileError) -> Void
    ) throws(FileError) {
        try makeDirectories(path)
        // It has no name before it is whole: whoever leaves early leaves nothing behind.
        let file = try FileDescriptor(temporaryIn: path)
        try make { bytes throws(FileError) in try file.write(bytes) }
        try file.sync()
        // Of two processes that compute the same the later one wins.
        let temporary = "\(path)/\(name).\(getpid())\(Self.temporarySuffix)"
        guard linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0,
            rename(temporary, path + "/" + name) == 0
        else {
            let error = FileError(path: temporary, operation: .rename, code: errno)
            unlink(temporary)
            throw error
        }
        trim(keeping: name)
    }

    private static let temporarySuffix = ".tmp"

    private struct Entry {
        var name: String
        var size: Int
        var modified: Int
    }

    /// Deletes what crashes have left behind, and the oldest files above the limit.
    private func trim(keeping kept: String) {
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

// Unchecked, as the compiler cannot know that nobody writes to the pages.
/// The bytes of a file, in memory as they are asked for. Only for files that nobody changes: where one is truncated, to
/// read it kills the process.
public final class MappedFile: @unchecked Sendable {
    /// The bytes.
    public let bytes: UnsafeRawBufferPointer

    /// Maps the file at `path`; nil where it cannot be, or is empty.
    init?(path: String) {
        guard let file = try? FileDescriptor(path, O_RDONLY), let size = try? Int(file.status.st_size), size > 0,
            let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.number, 0), memory != MAP_FAILED
        else { return nil }
        bytes = UnsafeRawBufferPointer(start: memory, count: size)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
}
