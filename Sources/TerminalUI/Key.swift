/// A key as a terminal reports it.
public enum Key: Hashable, Sendable {
    /// A key that types a character.
    case character(Character)
    /// A letter, or one of `@[\]^_?`, with Ctrl; letters in lower case.
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, tab, backTab, escape, backspace, delete, insert
    /// F1 to F63.
    case function(Int)
    /// A key that is none of these.
    case unknown
}

extension Key {
    private static let names: [(key: Key, name: String, label: String)] = [
        (.up, "Up", "↑"), (.down, "Down", "↓"), (.left, "Left", "←"), (.right, "Right", "→"),
        (.home, "Home", "Home"), (.end, "End", "End"), (.pageUp, "PgUp", "PgUp"), (.pageDown, "PgDn", "PgDn"),
        (.enter, "Enter", "Enter"), (.tab, "Tab", "Tab"), (.backTab, "BackTab", "Shift-Tab"), (.escape, "Esc", "Esc"),
        (.backspace, "Backspace", "Backspace"), (.delete, "Del", "Del"), (.insert, "Ins", "Ins"),
        (.character(" "), "Space", "Space"),
    ]

    private static let controls = "abcdefghijklmnopqrstuvwxyz@[\\]^_?"

    /// The key that `name` stands for in a list of keys: "j", "^d", "PgDn", "F1" ...; nil where there is none.
    public init?(name: String) {
        if let known = Self.names.first(where: { $0.name == name }) {
            self = known.key
        } else if name.count == 1, let character = name.first {
            self = .character(character)
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

    /// The key as readers know it: "j", "^d", "↓", "F1".
    public var label: String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "^\(character)"
        case .function(let number): "F\(number)"
        case .unknown: "?"
        default: Self.names.first { $0.key == self }?.label ?? ""
        }
    }
}
