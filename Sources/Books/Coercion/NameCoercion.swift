public import JSON
internal import Text

/// Lenient reading of people and identifiers.
extension JSONValue {
    /// The names of people, without splitting strings.
    public var names: [String] { names(splitAt: nil) }

    /// Returns the names of people, each on one line and without blank ones: of a string, an object with a name or its
    /// parts, an object with names as keys, the first language, or an array of these.
    ///
    /// - Parameter separator: The text between names in a string, " & " for example; a doubled "&" is an escaped one.
    func names(splitAt separator: String?) -> [String] {
        switch self {
        case .string(let string): return string.names(splitAt: separator)
        case .array(let elements): return elements.flatMap { $0.names(splitAt: separator) }
        case .object(let members):
            if let name = wholeName { return [name] }
            if let first = firstLanguage { return first.names(splitAt: separator) }
            return members.allSatisfy(\.isKeyedByName) ? members.flatMap { $0.key.names(splitAt: nil) } : []
        case .null, .boolean, .number: return []
        }
    }

    /// The name of an object, whole or in CSL name parts.
    private var wholeName: String? {
        if let name = self["name"]?.text ?? self["literal"]?.text { return name }
        func part(_ keys: String...) -> String? { keys.firstMade { self[$0]?.text } }
        let parts = [
            part("given", "givenName", "firstName", "first_name", "first"), part("dropping-particle"),
            part("non-dropping-particle"), part("family", "familyName", "lastName", "last_name", "last"),
        ].compactMap(\.self)
        guard !parts.isEmpty else { return nil }
        let name = parts.joined(separator: " ")
        return part("suffix").map { "\(name), \($0)" } ?? name
    }

    /// The contributors: strings, objects with a name and a role, objects with roles as keys, or an array of these.
    var contributors: [Book.Contributor] {
        switch self {
        case .string: return names.map { Book.Contributor(name: $0) }
        case .array(let elements): return elements.flatMap(\.contributors)
        case .object(let members):
            let names = names
            if !names.isEmpty {
                let role = ["role", "roles", "type", "relator", "job"].firstMade { self[$0]?.texts.nonEmpty }
                return names.map { Book.Contributor(name: $0, role: role?.joined(separator: ", ")) }
            }
            let others = ["role", "roles", "type", "@type", "relator", "job", "id", "@id", "key", "url", "uri"]
            return members.filter { !others.contains($0.key) }.flatMap { member in
                member.value.names.map { Book.Contributor(name: $0, role: member.key.onOneLine) }
            }
        case .null, .boolean, .number: return []
        }
    }

    /// The identifiers: an object with schemes as keys, objects with a scheme and a value, strings such as
    /// "scheme:number", or an array of these. A string without a scheme has the scheme "id".
    var identifiers: [Book.Identifier] {
        switch self {
        case .string, .number: return text.map { [Book.Identifier(text: $0)] } ?? []
        case .array(let elements): return elements.flatMap(\.identifiers)
        case .object(let members):
            let scheme = ["type", "scheme", "propertyID", "name", "@type"].firstMade { self[$0]?.text }
            let values = ["identifier", "value", "@value", "id"].firstMade { self[$0]?.texts.nonEmpty }
            if let values {
                return values.map { value in
                    scheme.map { Book.Identifier(scheme: $0, value: value) } ?? Book.Identifier(text: value)
                }
            }
            return members.flatMap { member in
                let scheme = member.key.onOneLine
                return scheme.isEmpty ? [] : member.value.texts.map { Book.Identifier(scheme: scheme, value: $0) }
            }
        case .null, .boolean: return []
        }
    }
}

extension JSONValue.Member {
    /// Whether the key may be a person's name: it contains a space, or its value is null or an object and it does not
    /// begin like a field name.
    fileprivate var isKeyedByName: Bool {
        let key = key.onOneLine
        switch value {
        case .null, .object: break
        case .boolean, .number, .string, .array: return key.contains(" ")
        }
        guard let first = key.unicodeScalars.first else { return false }
        let isFieldLike = ("a"..."z").contains(first) || "@_$0123456789".unicodeScalars.contains(first)
        return key.contains(" ") || !isFieldLike
    }
}

extension String {
    /// Splits this text into names at `separator`.
    fileprivate func names(splitAt separator: String?) -> [String] {
        guard let separator, !separator.isEmpty else {
            let line = onOneLine
            return line.isEmpty ? [] : [line]
        }
        let isEscaped = separator.utf8.contains(UInt8(ascii: "&"))
        var names: [String] = []
        var name: [UInt8] = []
        var rest = Array(utf8)[...]
        while let first = rest.first {
            if rest.starts(with: separator.utf8) {
                names.append(String(decoding: name, as: UTF8.self).onOneLine)
                name = []
                rest = rest.dropFirst(separator.utf8.count)
            } else {
                name.append(first)
                rest = rest.dropFirst(isEscaped && rest.starts(with: "&&".utf8) ? 2 : 1)
            }
        }
        names.append(String(decoding: name, as: UTF8.self).onOneLine)
        return names.filter { !$0.isEmpty }
    }
}

extension Book.Identifier {
    /// Parses an identifier such as "doi:10.1000/182" or "urn:uuid:..."; a web link is kept whole.
    fileprivate init(text: String) {
        guard let scheme = text.uriScheme else {
            self.init(scheme: "id", value: text)
            return
        }
        let rest = String(text.dropFirst(scheme.count + 1))
        switch scheme {
        case "http", "https": self.init(scheme: "url", value: text)
        case "urn":
            // The inner scheme of "urn:uuid:..." is read only once, because a text may be "urn:urn:urn: ...".
            let inner = rest.uriScheme
            self.init(
                scheme: inner ?? scheme, value: inner.map { String(rest.dropFirst($0.count + 1)) } ?? rest)
        default: self.init(scheme: scheme, value: rest)
        }
    }
}
