// `stat` is the C library's or CSystem's, depending on the order in which the compiler reads the modules.
internal import CSystem
internal import ConnectorProtocol
internal import Glibc

/// The status of a file.
struct FileState {
    private let status: stat

    /// Reads the status of the file at `path`; fails if it does not exist.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// Reads the status of an open file.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    /// The length in bytes.
    var size: Int { Int(status.st_size) }
    /// Whether it is a directory.
    var isDirectory: Bool { status.st_mode & S_IFMT == S_IFDIR }
    /// Whether it is a regular file, neither a pipe nor a device.
    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    /// Whether only its owner may read it.
    var isPrivate: Bool { status.st_mode & (S_IRWXG | S_IRWXO) == 0 }
    /// A text that changes with the content of the file.
    var tag: String { "\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)-\(status.st_ino)" }
}
