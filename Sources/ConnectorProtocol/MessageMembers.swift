internal import JSON

extension JSONValue {
    /// Parses a line as a JSON object.
    init(message line: some Collection<UInt8>) throws(ConnectorFailure) {
        guard line.count <= MessageLines.limit else { throw ConnectorFailure(.request, .tooLong) }
        guard let value = JSONValue(parsing: line), value.members != nil else {
            throw ConnectorFailure(.request, .notJSON)
        }
        self = value
    }

    /// Returns the text of a required member.
    func text(_ key: String) throws(ConnectorFailure) -> String {
        guard let text = self[key]?.string else { throw ConnectorFailure(.request, .member, detail: key) }
        return text
    }

    /// Returns the text of a member, or nil if it is missing or null.
    func optionalText(_ key: String) throws(ConnectorFailure) -> String? {
        switch self[key] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw ConnectorFailure(.request, .member, detail: key)
        }
    }

    /// Returns a required member, a count or position of at least zero; a number that is too large is clamped.
    func number(_ key: String) throws(ConnectorFailure) -> Int {
        guard let number = self[key]?.asCount else { throw ConnectorFailure(.request, .member, detail: key) }
        return number
    }

    /// Returns a required member, a number of bytes of at least zero; one that is too large is clamped.
    func byteCount(_ key: String) throws(ConnectorFailure) -> Int {
        guard let number = self[key]?.asByteCount else { throw ConnectorFailure(.request, .member, detail: key) }
        return number
    }

    /// Returns a required member, an array of strings.
    func texts(_ key: String) throws(ConnectorFailure) -> [String] {
        guard let elements = self[key]?.elements else { throw ConnectorFailure(.request, .member, detail: key) }
        let texts = elements.compactMap(\.string)
        guard texts.count == elements.count else { throw ConnectorFailure(.request, .member, detail: key) }
        return texts
    }
}
