internal import CText
internal import ConnectorProtocol

/// The version of a catalog to publish: a hash of its rows and of how they are stored, so that the same books have the
/// same name on the server.
enum RowsVersion {
    private static let partSize = 1 << 20

    /// Returns the hash of a file with rows, as sixteen hexadecimal digits.
    ///
    /// - Parameter layout: A number for how the rows are stored.
    static func digits(ofRowsAt path: String, layout: Int, _ context: RequestContext) throws(ConnectorFailure) -> String
    {
        let input = try FileBytes(path)
        var hash = UInt64(layout)
        while true {
            let part = try input.read(upTo: partSize)
            if part.isEmpty { break }
            if context.isCancelled() { throw ConnectorFailure(.cancelled) }
            hash = hash &* 0x9E37_79B9_7F4A_7C15 ^ part.withUnsafeBufferPointer { cs_hash($0.baseAddress, $0.count) }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
