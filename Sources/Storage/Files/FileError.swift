internal import Glibc

/// A failed system call on a file.
public struct FileError: Error, Hashable, Sendable {
    /// The kind of the failed operation.
    public enum Operation: String, Hashable, Sendable {
        case open, read, write, sync, rename, lock, makeDirectory, trust
    }

    /// The path of the file as given by the caller.
    public var path: String
    /// The failed operation.
    public var operation: Operation
    /// The cause as an `errno` value.
    public var code: Int32

    /// Creates the error of `operation` on the file at `path`.
    public init(path: String, operation: Operation, code: Int32) {
        self.path = path
        self.operation = operation
        self.code = code
    }
}

extension FileError {
    /// The cause as the system describes it, in lower case, such as "permission denied". ENOTSUP, which the system uses
    /// for sockets, reads as not a regular file.
    public var cause: String {
        if code == ENOTSUP { return "it is not a regular file" }
        if operation == .lock && code == EWOULDBLOCK { return "another program holds it" }
        if operation == .trust {
            switch code {
            case EPERM: return "it belongs to another user (chown makes it yours)"
            case EACCES: return "other users may write to it (chmod go-w makes it yours)"
            default: return "it is a link"
            }
        }
        guard let text = strerror(code) else { return "error \(code)" }
        let message = String(cString: text)
        return message.prefix(1).lowercased() + message.dropFirst()
    }

    /// Whether the file or directory is refused because another user could have written it.
    public var isDistrusted: Bool { operation == .trust }

    /// Whether the file does not exist.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

    /// Whether the user lacks the permission.
    public var isForbidden: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// Whether the disk is full.
    public var isOutOfSpace: Bool { code == ENOSPC }

    /// Whether the user's disk quota is used up.
    public var isOverQuota: Bool { code == EDQUOT }

    /// Whether the path is a directory.
    public var isDirectory: Bool { code == EISDIR }
}
