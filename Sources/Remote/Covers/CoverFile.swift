internal import FoundationEssentials
internal import Glibc
public import Storage

/// A picture on this machine, as it is stored.
public struct CoverFile {
    /// A text that names this version of the picture: it changes with the file.
    public let version: String
    private let place: Place

    /// The maximum size of a picture in bytes.
    static let limit = 32 << 20

    private enum Place {
        case path(String)
        case address(String)
    }

    /// Finds the picture; nil if it is on a server. Blocks as long as the file system does.
    ///
    /// - Throws: `FileError` with ENOENT for no picture, EPERM for a file outside of the directory.
    public init?(_ source: CoverSource) throws(FileError) {
        switch source {
        case .file(let path, let directory):
            guard let found = resolvedPath(path) else { throw FileError(path: path, operation: .read, code: errno) }
            guard Self.isFile(found, below: directory) else {
                throw FileError(path: path, operation: .read, code: EPERM)
            }
            let fingerprint = RandomAccessInput.Fingerprint(ofFileAt: found)
            version = "\(found) \(fingerprint?.modified ?? 0) \(fingerprint?.size ?? 0)"
            place = .path(found)
        case .data(let address):
            version = address
            place = .address(address)
        case .web: return nil
        }
    }

    /// Returns the bytes of the picture.
    ///
    /// - Throws: `FileError` with EFBIG for more than `limit`, EINVAL for an address of another form than
    ///   "data:image/png;base64,iVBORw0KGgo=", and those of `ReadOnlyFile`.
    public func bytes(upTo limit: Int) throws(FileError) -> [UInt8] {
        switch place {
        case .path(let path): return try ReadOnlyFile.bytes(at: path, upTo: limit)
        case .address(let address):
            func failure(_ code: Int32) -> FileError { FileError(path: "data:", operation: .read, code: code) }
            // Base64 has four characters for three bytes.
            guard address.utf8.count / 4 * 3 <= limit else { throw failure(EFBIG) }
            guard let comma = address.firstIndex(of: ","), address[..<comma].lowercased().hasSuffix(";base64"),
                let data = Data(base64Encoded: String(address[address.index(after: comma)...]))
            else { throw failure(EINVAL) }
            return [UInt8](data)
        }
    }

    private static func isFile(_ path: String, below directory: String) -> Bool {
        guard let directory = resolvedPath(directory) else { return false }
        return path.hasPrefix(directory == "/" ? directory : directory + "/")
    }
}
