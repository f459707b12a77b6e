internal import Glibc

/// The services by which this machine resolves the names of hosts: nsswitch.conf(5).
enum NameServices {
    /// The services that need no other program: files, and name servers by UDP and TCP.
    private static let selfContained: Set<Substring> = ["files", "dns", "myhostname", "compat"]

    /// Whether resolving a name may ask a program on this machine by a Unix socket, as for names of the local network.
    static var needUnixSockets: Bool {
        if access("/var/run/nscd/socket", F_OK) == 0 { return true }
        guard let bytes = try? FileBytes("/etc/nsswitch.conf").read(upTo: 1 << 16) else { return false }
        return needUnixSockets(accordingTo: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns whether a configuration names other services for hosts than those that need no program.
    static func needUnixSockets(accordingTo text: String) -> Bool {
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            guard words.first == "hosts:" else { continue }
            // What to do with the answer of a service is in brackets: "[NOTFOUND=return]".
            var isInBrackets = false
            return words.dropFirst().contains { word in
                if word.hasPrefix("[") { isInBrackets = true }
                defer { if word.hasSuffix("]") { isInBrackets = false } }
                return !isInBrackets && !selfContained.contains(word)
            }
        }
        return false
    }
}
