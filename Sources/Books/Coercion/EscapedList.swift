/// Lists in one text: the items are separated by semicolons, and `\;` is a semicolon in an item.
public enum EscapedList {
    /// Returns the text of a list.
    public static func text(of items: [String]) -> String {
        items.enumerated().map { index, item in item.escaped(before: ";", isFollowed: index + 1 < items.count) }
            .joined(separator: "; ")
    }

    /// Returns the items of a list that `text(of:)` has written.
    public static func items(of text: String) -> [String] {
        text.separated(at: ";").enumerated().map { index, part in
            index > 0 && part.text.first == " " ? String(part.text.dropFirst()) : part.text
        }
    }
}

extension String {
    /// This text with a backslash before each `separator`. Backslashes before one are doubled, and so are those at the
    /// end if one follows.
    public func escaped(before separator: Character, isFollowed: Bool) -> String {
        guard contains(separator) || isFollowed && last == "\\" else { return self }
        var text = ""
        var backslashes = ""
        for character in self {
            if character == separator { text += backslashes + "\\" }
            backslashes = character == "\\" ? backslashes + "\\" : ""
            text.append(character)
        }
        return isFollowed ? text + backslashes : text
    }

    /// The parts of this text between unescaped `separator`s, at most `limit`: as written, and with escapes resolved.
    public func separated(at separator: Character, limit: Int = .max) -> [(source: String, text: String)] {
        var parts: [(source: String, text: String)] = [("", "")]
        var backslashes = 0
        for character in self {
            let last = parts.count - 1
            if character == separator, parts.count < limit {
                // Two backslashes stand for one, and an odd one escapes the separator.
                parts[last].text.removeLast((backslashes + 1) / 2)
                if backslashes.isMultiple(of: 2) {
                    parts.append(("", ""))
                } else {
                    parts[last].text.append(character)
                    parts[last].source.append(character)
                }
            } else {
                parts[last].text.append(character)
                parts[last].source.append(character)
            }
            backslashes = character == "\\" ? backslashes + 1 : 0
        }
        return parts
    }
}
