internal import ConnectorProtocol
internal import JSON

/// How a server lets users in that it has refused with the status 401: what the head of its answer says (RFC 9110, section
/// 11.6.1), and the document in its body, if that is one of OPDS Authentication 1.0.
struct SignInMethods {
    /// What the server says in the document.
    private(set) var instructions: SignInInstructions?
    /// Whether it takes a user and password.
    private(set) var takesPassword = false
    /// Whether it takes them only as Basic (RFC 7617), or names no way, since it expects them like this then.
    let isBasic: Bool
    /// The names of the other ways, each once.
    private var others: [String] = []

    /// The maximum length of the document in bytes.
    static let documentLimit = 1 << 18
    /// The maximum length of a text in it that is shown.
    private static let textLimit = 500

    /// Reads an answer with this head and body.
    init(_ head: HTTPHead, _ body: [UInt8]) {
        let schemes = head.challenges
        isBasic = !schemes.contains("digest")
        takesPassword = schemes.contains("basic") || schemes.contains("digest")
        for scheme in schemes where scheme != "basic" && scheme != "digest" { add(scheme.capitalized) }
        if head["content-type"]?.lowercased().contains("opds-authentication+json") == true {
            read(body)
        } else if schemes.isEmpty {
            takesPassword = true
        }
    }

    /// The other ways in words, such as "OAuth or SAML"; nil if there are none.
    var otherNames: String? { others.isEmpty ? nil : others.joined(separator: " or ") }

    private mutating func read(_ body: [UInt8]) {
        guard let document = JSONValue(parsing: body), document.members != nil else { return }
        func text(_ value: JSONValue?) -> String? {
            value?.string.map { String($0.prefix(Self.textLimit)) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        var labels: JSONValue?
        for flow in document["authentication"]?.elements ?? [] {
            guard let type = flow["type"]?.string else { continue }
            if type == "http://opds-spec.org/auth/basic" {
                (takesPassword, labels) = (true, flow["labels"])
            } else {
                add(Self.name(of: type))
            }
        }
        guard let title = text(document["title"]) ?? text(document["name"]) else { return }
        instructions = SignInInstructions(
            title: title, description: text(document["description"]), userLabel: text(labels?["login"]),
            secretLabel: text(labels?["password"]))
    }

    private mutating func add(_ name: String) {
        if !others.contains(name) { others.append(name) }
    }

    /// Returns the name of a way to sign in that is not supported (OPDS Authentication 1.0, section 3.3).
    private static func name(of type: String) -> String {
        let lower = type.lowercased()
        if lower.contains("/oauth") { return "OAuth" }
        if lower.contains("saml") { return "SAML" }
        if lower.contains("basic-token") { return "tokens" }
        if lower.hasSuffix("/auth/local") { return "the lock of a device" }
        return type.split(separator: "/").last.map { String($0.prefix(40)) } ?? "an unknown way"
    }
}

extension HTTPHead {
    /// The schemes of the challenges, in lower case.
    fileprivate var challenges: [String] {
        // A challenge is a scheme and parameters; those of several challenges in one field stand between commas, too.
        all("www-authenticate").flatMap { field in
            field.splitOutsideQuotes(",").compactMap { part in
                let words = part.split(separator: " ")
                guard let first = words.first, !first.contains("=") else { return nil }
                return first.lowercased()
            }
        }
    }
}

extension String {
    /// The parts between a separator that is not within quotation marks.
    fileprivate func splitOutsideQuotes(_ separator: Character) -> [Substring] {
        var isQuoted = false
        return split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }

    /// The text with its first letter as a capital.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
