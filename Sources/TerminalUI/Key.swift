/// A key press as reported by the terminal.
public enum Key: Hashable, Sendable {
    /// A key that types a character.
    case character(Character)
    /// Ctrl with a lower-case letter or one of `@[\]^_?`.
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    /// Ctrl with an arrow.
    case controlUp, controlDown
    case enter, tab, backTab, escape, backspace, delete, insert
    /// A key with Alt, which terminals send as Esc and the key at once: a character, or U+007F for Backspace. Typed ahead,
    /// Esc and a key look the same.
    case alt(Character)
    /// A function key, F1 to F63.
    case function(Int)
    /// A key that the terminal reports but this type does not name.
    case unknown
}

extension Key {
    /// Whether the key types a character.
    public var isCharacter: Bool { if case .character = self { true } else { false } }

    private static let names: [(key: Key, name: String, label: String)] = [
        (.up, "Up", "↑"), (.down, "Down", "↓"), (.left, "Left", "←"), (.right, "Right", "→"),
        (.controlUp, "^Up", "^↑"), (.controlDown, "^Down", "^↓"),
        (.home, "Home", "Home"), (.end, "End", "End"), (.pageUp, "PgUp", "PgUp"), (.pageDown, "PgDn", "PgDn"),
        (.enter, "Enter", "Enter"), (.tab, "Tab", "Tab"), (.backTab, "BackTab", "Shift-Tab"), (.escape, "Esc", "Esc"),
        (.backspace, "Backspace", "Backspace"), (.delete, "Del", "Del"), (.insert, "Ins", "Ins"),
        (.character(" "), "Space", "Space"),
    ]

    private static let controls = "abcdefghijklmnopqrstuvwxyz@[\\]^_?"

    /// Creates the key with a name from the key bindings, such as "j", "^d", "PgDn" or "F1"; nil if the name is
    /// unknown.
    public init?(name: String) {
        if name.count == 1, let character = name.first {
            self = .character(character)
        } else if let known = Self.names.first(where: { $0.name == name }) {
            self = known.key
        } else if name.count == 2, name.first == "^", let character = name.last?.lowercased().first,
            Self.controls.contains(character)
        {
            self = .control(character)
        } else if name.first == "F", let number = Int(name.dropFirst()), (1...63).contains(number), name == "F\(number)"
        {
            self = .function(number)
        } else {
            return nil
        }
    }

    /// The key as shown to the user, such as "j", "^d", "↓" or "F1".
    public var label: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "^\(character)"
        case .function(let number): "F\(number)"
        case .alt("\u{7F}"): "Alt-Backspace"
        case .alt(let character): "Alt-\(character)"
        case .unknown: "?"
        default: Self.names.first { $0.key == self }?.label ?? ""
        }
    }
}
