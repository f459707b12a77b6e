internal import ConnectorProtocol
internal import Glibc

/// The limits for the files that this program writes to the cache.
struct DiskLimit {
    /// The maximum size of a copy in bytes.
    var size = 8 << 30
    /// The room to leave on the file system in bytes, but no more of it than one part in `parts`.
    var room = 512 << 20
    var parts = 20

    /// The size in bytes up to which a copy may take the last room: it makes no difference to others.
    private static let smallSize = 16 << 20

    /// Checks that a file may grow to this size in bytes, before it does.
    func check(_ size: Int, of descriptor: Int32) throws(ConnectorFailure) {
        guard size > Self.smallSize || size > self.size else { return }
        if size > self.size { throw ConnectorFailure(.refused, .copyLimit, detail: String(self.size >> 20)) }
        var status = statvfs()
        // File systems without a size, such as those of memory without a limit, have zero blocks.
        guard fstatvfs(descriptor, &status) == 0, status.f_blocks > 0 else { return }
        let block = Int(clamping: status.f_frsize)
        let free = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: block)
        let all = Int(clamping: status.f_blocks).multipliedReportingOverflow(by: block)
        if free.overflow || all.overflow { return }
        if free.partialValue < min(room, all.partialValue / parts) { throw ConnectorFailure(.helper, .noRoom) }
    }
}
