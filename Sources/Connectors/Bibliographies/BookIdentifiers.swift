internal import Books

/// The identifiers of a record other than ISBNs, and its links; the key of a second link is "url 2".
struct BookIdentifiers {
    /// The identifiers with their schemes.
    private(set) var found: [(key: String, value: String)] = []

    /// Adds an identifier, unless it is there already.
    mutating func add(_ scheme: String, _ text: String) {
        if text.isEmpty || found.contains(where: { $0.value == text && $0.key.hasPrefix(scheme) }) { return }
        var key = scheme
        var number = 2
        while found.contains(where: { $0.key == key }) {
            key = "\(scheme) \(number)"
            number += 1
        }
        found.append((key, text))
    }

    /// Returns the numbers in a field for ISBNs, which may hold several.
    static func numbers(in text: String) -> [String] {
        if ISBN(text).isValid { return [text] }
        let parts = text.parts(between: UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "/"))
        return parts.filter { !$0.isEmpty }.flatMap { part in
            let words = part.words
            return words.count > 1 && words.allSatisfy { ISBN($0).isValid } ? words : [part]
        }
    }
}
