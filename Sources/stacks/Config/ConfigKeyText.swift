internal import TerminalUI
internal import Text

/// Parses key sequences in the notation of the config file: "t", "^d", "PgDn", "gg", "g Home".
///
/// Keys are separated by blanks, except that up to three characters may be joined. The labels in the guide's table,
/// such as "↓", are valid names too.
enum ConfigKeyText {
    /// The reason why a text is not a key sequence.
    struct SyntaxError: Error, Equatable {
        /// The error message without a full stop.
        var sentence: String
    }

    /// The maximum number of joined characters; a longer word is a misspelled key name.
    private static let maximumRunLength = 3

    /// Parses the key sequence `text`.
    static func sequence(_ text: String) throws(SyntaxError) -> [Key] {
        let parts = text.split(separator: " ").map(String.init)
        guard !parts.isEmpty else {
            throw SyntaxError(sentence: ConfigMessage.noKey.text())
        }
        var keys: [Key] = []
        for part in parts { keys += try sequence(ofPart: part) }
        if case .character(let first) = keys[0], ("1"..."9").contains(first) {
            throw SyntaxError(sentence: ConfigMessage.keyIsCount.text(text))
        }
        if keys.dropFirst().contains(interrupt) || keys.count > 1 && keys[0] == interrupt {
            throw SyntaxError(sentence: ConfigMessage.keyContainsInterrupt.text(text))
        }
        return keys
    }

    /// The key that always interrupts; it cannot be bound to another command.
    static let interrupt = Key.control("c")

    private static func sequence(ofPart part: String) throws(SyntaxError) -> [Key] {
        if let key = key(named: part) { return [key] }
        let near = nearestName(to: part)
        if near != nil || part.count > maximumRunLength || part.hasPrefix("^") {
            throw SyntaxError(
                sentence: near.map { ConfigMessage.misspelledKey.text(part, $0) } ?? ConfigMessage.unknownKey.text(part)
            )
        }
        return part.map(Key.character)
    }

    private static func key(named name: String) -> Key? {
        if let key = labelled.first(where: { $0.label == name }) { return key }
        // Terminals send these as other keys.
        return sameAsOther[name.lowercased()] == nil ? Key(name: name) : nil
    }

    private static let sameAsOther = [
        "^i": "Tab", "^m": "Enter", "^j": "Enter", "^h": "Backspace", "^[": "Esc", "^?": "Backspace",
    ]
    private static let labelled: [Key] = [.up, .down, .left, .right, .controlUp, .controlDown, .backTab]
    private static let names = [
        "Up", "Down", "Left", "Right", "^Up", "^Down", "Home", "End", "PgUp", "PgDn", "Enter", "Tab", "BackTab", "Esc",
        "Backspace", "Del", "Ins", "Space",
    ]
    private static let otherNames = [
        "escape": "Esc", "return": "Enter", "cr": "Enter", "pageup": "PgUp", "pagedown": "PgDn", "pgdown": "PgDn",
        "delete": "Del", "insert": "Ins", "s-tab": "BackTab", "shift-tab": "BackTab", "bs": "Backspace",
    ]

    /// Returns the key name that is probably meant by `text`, if one is similar.
    private static func nearestName(to text: String) -> String? {
        var word = text.lowercased()
        if let other = sameAsOther[word] { return other }
        if word.hasPrefix("<"), word.hasSuffix(">") { word = String(word.dropFirst().dropLast()) }
        for prefix in ["ctrl-", "ctrl+", "control-", "c-"] where word.hasPrefix(prefix) {
            let name = "^" + word.dropFirst(prefix.count)
            if Key(name: name) != nil { return name }
        }
        if let name = names.first(where: { $0.lowercased() == word }) ?? otherNames[word] { return name }
        if word.first == "f", word.count > 1, word.dropFirst().allSatisfy(\.isNumber) {
            return Key(name: word.uppercased()) == nil ? "F1" : word.uppercased()
        }
        guard word.count > maximumRunLength else { return nil }
        let near = names.nearest(to: word)
        return near.count < names.count ? near.first : nil
    }
}
