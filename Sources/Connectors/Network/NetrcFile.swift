internal import Glibc

/// The user's passwords in ~/.netrc. libcurl reads the file, but only if other users cannot.
enum NetrcFile {
    /// The maximum length that is read, in bytes.
    private static let limit = 1 << 16

    private static var path: String? { getenv("HOME").map { String(cString: $0) + "/.netrc" } }

    /// Whether the file exists and only its owner can access it.
    static var isPrivate: Bool { path.flatMap(FileState.init(path:))?.isPrivate ?? false }

    /// Returns whether the file has a password for a host, but is ignored because other users can access it.
    static func isIgnored(for host: String) -> Bool {
        guard let path, let state = FileState(path: path), state.isRegular, !state.isPrivate,
            let text = try? FileBytes(path).read(upTo: limit)
        else { return false }
        let words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let name = HTTPRequest.name(ofHostIn: "http://" + host)
        return words.contains("default") || zip(words, words.dropFirst()).contains { $0 == "machine" && $1 == name }
    }
}
