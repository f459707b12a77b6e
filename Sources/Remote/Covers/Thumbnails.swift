internal import Glibc
internal import Storage
internal import Threading

/// Smaller copies of covers in the cache; the oldest are deleted if there are more than fit the limit.
final class Thumbnails: Sendable {
    private let directory: CacheDirectory
    private let addedCount = Locked(0)

    /// The maximum total size in bytes.
    private static let limit = 500 << 20
    /// The number of new thumbnails after which the total size is checked again.
    private static let trimmingInterval = 200

    /// Creates the thumbnails below the directory `cache`.
    init(in cache: String) { directory = CacheDirectory(path: cache + "/covers", limit: Self.limit) }

    /// Returns whether there is a thumbnail of a picture.
    func has(version: String) -> Bool { directory.has(Self.name(ofVersion: version)) }

    /// Returns the thumbnail of a picture, if there is one, and notes its use.
    ///
    /// - Parameter version: The text that names this version of the picture.
    func bytes(ofVersion version: String) -> [UInt8]? {
        let name = Self.name(ofVersion: version)
        guard let bytes = try? ReadOnlyFile.bytes(at: directory.path + "/" + name, if: .own) else { return nil }
        directory.touch(name)
        return bytes
    }

    /// Moves a file here as the thumbnail of a picture. A failure only means that it is made again.
    func take(_ path: String, asVersion version: String) {
        try? makeDirectory(directory.path)
        guard rename(path, directory.path + "/" + Self.name(ofVersion: version)) == 0 else { return }
        let count = addedCount.withLock { count in
            defer { count += 1 }
            return count
        }
        if count % Self.trimmingInterval == 0 { directory.trim() }
    }

    private static func name(ofVersion version: String) -> String { hashedName(of: version) + ".webp" }
}
