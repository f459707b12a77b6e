internal import ConnectorProtocol
internal import Glibc

/// The user's passwords in ~/.netrc, which is read only if other users cannot.
///
/// libcurl could read the file, but it then also looks up the hosts to which servers redirect.
enum NetrcFile {
    /// The maximum length that is read, in bytes.
    private static let limit = 1 << 16

    /// Returns the user and password for a server; nil if there are none, or other users can access the file.
    static func credential(for origin: ServerOrigin) -> Credential? {
        guard let file = file(), file.isPrivate else { return nil }
        return credential(in: file.text, for: origin.host)
    }

    /// Returns whether the file has a password for a server, but is ignored because other users can access it.
    static func isIgnored(for origin: ServerOrigin) -> Bool {
        guard let file = file(), !file.isPrivate else { return false }
        return credential(in: file.text, for: origin.host) != nil
    }

    /// The path of the file; nil without HOME.
    static var path: String? { getenv("HOME").map { String(cString: $0) + "/.netrc" } }

    private static func file() -> (text: String, isPrivate: Bool)? {
        guard let path, let state = FileState(path: path), state.isRegular,
            let bytes = try? FileBytes(path).read(upTo: limit)
        else { return nil }
        return (String(decoding: bytes, as: UTF8.self), state.isPrivate)
    }

    /// Returns the first user and password in `text` for a host: those behind `machine` and its name, or behind
    /// `default`. The format is that of ftp(1), with comments and quotation marks as in curl.
    static func credential(in text: String, for host: String) -> Credential? {
        var words = words(of: text)[...]
        let name = host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]
        var (isMatch, user, secret) = (false, "", nil as String?)
        while let word = words.popFirst() {
            switch word {
            case "machine", "default":
                if isMatch, let secret { return Credential(user: user, secret: secret) }
                isMatch = word == "default" || words.popFirst().map { $0.lowercased() == name } ?? false
                (user, secret) = ("", nil)
            case "login": user = words.popFirst() ?? ""
            case "password": secret = words.popFirst()
            case "account": words = words.dropFirst()
            default: break
            }
        }
        return isMatch ? secret.map { Credential(user: user, secret: $0) } : nil
    }

    /// Returns the words of the file, without comments and the text of macros.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var isMacro = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // A macro ends at an empty line.
            if isMacro, !line.isEmpty { continue }
            isMacro = false
            var rest = line.drop(while: \.isWhitespace)
            if rest.first == "#" { continue }
            while !rest.isEmpty {
                let word = nextWord(of: &rest)
                if word == "macdef", words.last != "login", words.last != "password" {
                    isMacro = true
                    break
                }
                words.append(word)
                rest = rest.drop(while: \.isWhitespace)
            }
        }
        return words
    }

    /// Removes the first word of a line, which may be in quotation marks, and returns it.
    private static func nextWord(of rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let word = rest.prefix { !$0.isWhitespace }
            rest = rest[word.endIndex...]
            return String(word)
        }
        rest.removeFirst()
        var word = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                word.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n"?: word.append("\n")
            case "r"?: word.append("\r")
            case "t"?: word.append("\t")
            case let escaped?: word.append(escaped)
            case nil: break
            }
        }
        return word
    }
}
