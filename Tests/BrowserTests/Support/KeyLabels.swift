@testable import Browser

/// The keys of a command as the help and the palette show them.
enum KeyLabels {
    /// The keys whose names differ from their labels.
    private static let labels = [
        "Down": "↓", "Up": "↑", "Left": "←", "Right": "→", "^Down": "^↓", "^Up": "^↑", "^x ^e": "^x^e",
        "BackTab": "Shift-Tab",
    ]

    /// Returns the labels of all keys of a command, separated by blanks.
    static func of(_ command: Command) -> String {
        if command == .goToList { return "g1…g9" }
        return command.info.keys.map { labels[$0] ?? $0 }.joined(separator: " ")
    }
}
