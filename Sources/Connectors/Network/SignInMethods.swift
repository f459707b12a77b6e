internal import ConnectorProtocol
internal import JSON

/// The ways to sign in that a server offers in a response with the status code 401: the challenges in its header (RFC
/// 9110, section 11.6.1), and its body if that is a document of OPDS Authentication 1.0.
struct SignInMethods {
    /// The instructions for users in the document.
    private(set) var instructions: SignInInstructions?
    /// Whether the server accepts a password.
    private(set) var takesPassword = false
    /// Whether the server accepts passwords only as Basic (RFC 7617). A server without a challenge is taken to expect
    /// Basic.
    let isBasic: Bool
    /// The names of the other ways to sign in, without duplicates.
    private var others: [String] = []

    /// The maximum length of the document in bytes.
    static let documentLimit = 1 << 18
    /// The maximum number of characters shown of a text in the document.
    private static let textLimit = 500

    /// Parses a response.
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

    /// The names of the other ways to sign in as a phrase, such as "OAuth or SAML"; nil if there are none.
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

    /// Returns the name of an unsupported way to sign in (OPDS Authentication 1.0, section 3.3).
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
    /// The authentication schemes of the challenges, in lower case.
    fileprivate var challenges: [String] {
        // Commas separate challenges as well as the parameters of one challenge; a part that begins with a word without
        // "=" starts a challenge.
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
    /// Returns the parts between separators that are outside quotation marks.
    fileprivate func splitOutsideQuotes(_ separator: Character) -> [Substring] {
        var isQuoted = false
        return split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }
    }

    /// The text with its first letter in upper case.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
