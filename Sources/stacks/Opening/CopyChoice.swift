internal import Catalog
internal import Glibc
internal import Remote

/// How a catalog that is not JSON is copied.
struct CopyChoice {
    /// The condition for copying it again.
    var refreshes = MirrorRefresh.whenChanged
    /// The encoding of its text as the user names it, or "auto" to detect it; nil for that of the last copy.
    var encoding: String?

    /// Whether the system's converter knows an encoding, and reads ASCII in it as ASCII, or it is UTF-16.
    static func isEncoding(_ name: String) -> Bool {
        if ["UTF-16LE", "UTF-16BE"].contains(name.uppercased()) { return true }
        guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else { return false }
        defer { iconv_close(converter) }
        var (input, output) = (Array("Title,1".utf8CString), [CChar](repeating: 0, count: 64))
        return input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var (from, to) = (input.baseAddress, output.baseAddress)
                var (inputRest, outputRest) = (input.count, output.count)
                return iconv(converter, &from, &inputRest, &to, &outputRest) == 0
                    && output.prefix(input.count).elementsEqual("Title,1".utf8CString)
            }
        }
    }
}
