internal import CSystem
internal import Glibc

/// A condition for reading a file.
public enum FileCondition: Sendable {
    /// No condition.
    case none
    /// The file belongs to the user or to root, and no other user may write to it.
    case trusted
    /// The file belongs to the user and has no other hard link; symbolic links to it are not followed.
    ///
    /// It applies to files of the connector program, which could make a link to any file of the user.
    case own

    /// The flags for opening the file.
    var flags: Int32 { self == .own ? O_NOFOLLOW : 0 }

    /// Checks the condition for an open file.
    ///
    /// - Throws: `FileError` with the operation `trust`.
    func check(_ status: stat, at path: String) throws(FileError) {
        switch self {
        case .none: return
        case .trusted: if let error = FileError(distrusting: status, at: path) { throw error }
        case .own:
            if status.st_uid != geteuid() { throw FileError(path: path, operation: .trust, code: EPERM) }
            if status.st_nlink > 1 { throw FileError(path: path, operation: .trust, code: EMLINK) }
        }
    }
}

/// Returns whether the file at `path` is a regular file of the user, and neither a link nor a file with another name.
public func isOwnFile(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
        && status.st_nlink == 1
}

extension FileError {
    /// Creates the reason why a file or directory is not trusted: EPERM if it belongs to another user, except root, and
    /// EACCES if another user may write to it. Fails if it is trusted.
    ///
    /// A group of which the user is the only member may write to it: where each user has one, the umask allows that.
    init?(distrusting status: stat, at path: String) {
        if status.st_uid != geteuid() && status.st_uid != 0 {
            self.init(path: path, operation: .trust, code: EPERM)
        } else if status.st_mode & S_IWOTH != 0
            || status.st_mode & S_IWGRP != 0 && !isPrivateGroup(status.st_gid, of: status.st_uid)
        {
            self.init(path: path, operation: .trust, code: EACCES)
        } else {
            return nil
        }
    }

    /// Creates the reason why a directory is not trusted; fails if it is trusted or missing. One system call, unless it
    /// is a symbolic link.
    public init?(distrustingDirectory path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK {
            // Everybody may write to a link, but only its owner can replace it.
            status.st_mode &= ~0o777
            if let error = FileError(distrusting: status, at: path) {
                self = error
                return
            }
            guard stat(path, &status) == 0 else { return nil }
        }
        self.init(distrusting: status, at: path)
    }
}

/// Returns whether a user is the only member of a group.
///
/// The files are read because a statically linked program cannot use the name services of the system. Groups that they
/// lack count as shared.
private func isPrivateGroup(_ group: gid_t, of user: uid_t) -> Bool {
    func entries(_ path: String) -> [[Substring]] {
        let text = (try? ReadOnlyFile.bytes(at: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false) }
            .filter { $0.count > 3 }
    }
    // The members are the users that the group lists, and those with it as their main group.
    let users = entries("/etc/passwd")
    guard let name = users.first(where: { UInt32($0[2]) == user })?[0],
        let found = entries("/etc/group").first(where: { UInt32($0[2]) == group })
    else { return false }
    return !users.contains { UInt32($0[3]) == group && $0[0] != name }
        && found[3].split(separator: ",").allSatisfy { $0 == name }
}
