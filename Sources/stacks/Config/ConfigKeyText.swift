internal import TerminalUI
internal import Text

/// Keys as the config file names them: "t", "^d", "PgDn", "gg", "g Home".
///
/// Keys stand apart by blanks; up to three characters may stand together. The labels of the README's table are names,
/// too: "↓".
enum ConfigKeyText {
    /// Why a text names no keys.
    struct Fault: Error, Equatable {
        /// What is wrong, without a full stop.
        var sentence: String
    }

    /// So many characters may stand together; what is longer is a name that is no key's.
    private static let greatestRun = 3

    /// The keys that `text` names.
    static func sequence(_ text: String) throws(Fault) -> [Key] {
        let parts = text.split(separator: " ").map(String.init)
        guard !parts.isEmpty else {
            throw Fault(sentence: "a key is missing between the quotes; the blank is \"Space\"")
        }
        var keys: [Key] = []
        for part in parts { keys += try sequence(ofPart: part) }
        if case .character(let first) = keys[0], ("1"..."9").contains(first) {
            throw Fault(sentence: "\"\(text)\" is never a command's, as numbers are counts")
        }
        if keys.dropFirst().contains(interrupt) || keys.count > 1 && keys[0] == interrupt {
            throw Fault(sentence: "\"\(text)\" can never be typed, as ^c always interrupts")
        }
        return keys
    }

    /// The key that interrupts, whatever the reader asks for.
    static let interrupt = Key.control("c")

    private static func sequence(ofPart part: String) throws(Fault) -> [Key] {
        if let key = key(named: part) { return [key] }
        let near = nearestName(to: part)
        if near != nil || part.count > greatestRun || part.hasPrefix("^") {
            let hint = near.map { " (did you mean \"\($0)\"?)" } ?? ": the README lists the names"
            throw Fault(sentence: "there is no key \"\(part)\"\(hint)")
        }
        return part.map(Key.character)
    }

    private static func key(named name: String) -> Key? {
        if let key = labelled.first(where: { $0.label == name }) { return key }
        // What terminals send for these is another key.
        return sameAsOther[name.lowercased()] == nil ? Key(name: name) : nil
    }

    private static let sameAsOther = [
        "^i": "Tab", "^m": "Enter", "^j": "Enter", "^h": "Backspace", "^[": "Esc", "^?": "Backspace",
    ]
    private static let labelled: [Key] = [.up, .down, .left, .right, .backTab]
    private static let names = [
        "Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDn", "Enter", "Tab", "BackTab", "Esc", "Backspace",
        "Del", "Ins", "Space",
    ]
    private static let otherNames = [
        "escape": "Esc", "return": "Enter", "cr": "Enter", "pageup": "PgUp", "pagedown": "PgDn", "pgdown": "PgDn",
        "delete": "Del", "insert": "Ins", "s-tab": "BackTab", "shift-tab": "BackTab", "bs": "Backspace",
    ]

    /// The name that `text` was meant for; nil where it is near to none.
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
        guard word.count > greatestRun else { return nil }
        let near = names.nearest(to: word)
        return near.count < names.count ? near.first : nil
    }
}
