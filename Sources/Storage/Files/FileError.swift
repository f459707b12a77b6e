internal import Glibc

/// A system call on a file that failed.
public struct FileError: Error, Hashable, Sendable {
    /// What was being done.
    public enum Operation: String, Hashable, Sendable {
        case open, read, write, sync, rename, lock, makeDirectory
    }

    /// The file's path, as it was given.
    public var path: String
    /// What was being done.
    public var operation: Operation
    /// The cause, as `errno` has it.
    public var code: Int32

    /// The failure of `operation` on the file at `path`.
    public init(path: String, operation: Operation, code: Int32) {
        self.path = path
        self.operation = operation
        self.code = code
    }
}

extension FileError {
    /// The cause in the system's words, in lower case: "permission denied". For ENOTSUP, which the system says of
    /// sockets, that it is no regular file.
    public var cause: String {
        if code == ENOTSUP { return "it is not a regular file" }
        if operation == .lock && code == EWOULDBLOCK { return "another program holds it" }
        guard let text = strerror(code) else { return "error \(code)" }
        let message = String(cString: text)
        return message.prefix(1).lowercased() + message.dropFirst()
    }

    /// Whether there is no such file.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether the reader has not the right to do that.
    public var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// Whether it is a directory.
    public var isDirectory: Bool { code == EISDIR }
}
