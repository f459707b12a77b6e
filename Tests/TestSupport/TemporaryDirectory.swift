private import Foundation

/// A directory for one test, which is deleted with its content.
public final class TemporaryDirectory {
    /// The path of the directory.
    public let path: String

    /// Creates the directory.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "stacks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let file = path + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }
}
