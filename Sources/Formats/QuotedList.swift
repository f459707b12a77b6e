/// A list of names in one field of a table, separated by a character.
///
/// A name that contains the separator, or that would be read as something else, is in quotation marks; quotation marks
/// in it are doubled.
public struct QuotedList {
    /// An item of a list.
    public struct Item: Hashable, Sendable {
        /// The name.
        public var name: String
        /// Whether the name is in quotation marks, and therefore has no special meaning.
        public var isQuoted: Bool
    }

    /// Returns the list of `names`.
    ///
    /// - Parameter isSpecial: Returns whether a name must be quoted because it has a special meaning.
    public static func text(
        of names: [String], separator: Character, isSpecial: (String) -> Bool = { _ in false }
    ) -> String {
        let items = names.map { name in
            let isPlain =
                !name.contains(separator) && !name.hasPrefix("\"") && !name.isEmpty && name[...].trimmed == name
            return isPlain && !isSpecial(name) ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
        }
        return items.joined(separator: "\(separator) ")
    }

    /// Returns the items of a list, except blank ones.
    public static func items(of text: String, separator: Character) -> [Item] {
        var items: [Item] = []
        var rest = text[...].drop(while: \.isWhitespace)
        while !rest.isEmpty {
            if rest.first == "\"", let (name, end) = quotedName(in: rest) {
                items.append(Item(name: name, isQuoted: true))
                rest = end.drop { $0 != separator }
            } else {
                let name = rest.prefix { $0 != separator }
                if !name.trimmed.isEmpty { items.append(Item(name: name.trimmed, isQuoted: false)) }
                rest = rest[name.endIndex...]
            }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
        }
        return items
    }

    /// Returns the quoted name at the start of `text` and the rest of the text; nil if the quotation mark is not
    /// closed.
    private static func quotedName(in text: Substring) -> (name: String, rest: Substring)? {
        var name = ""
        var rest = text.dropFirst()
        while let quote = rest.firstIndex(of: "\"") {
            name += rest[..<quote]
            rest = rest[quote...].dropFirst()
            guard rest.first == "\"" else { return (name, rest) }
            name += "\""
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension Substring {
    /// The text without surrounding white space.
    fileprivate var trimmed: String {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
