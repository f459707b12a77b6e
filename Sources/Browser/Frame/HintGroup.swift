internal import Books
internal import Search

/// A group of hints in the hint bar of a wide window: the keys of commands that belong together.
struct HintGroup {
    /// The label before the keys; "" for none.
    let label: String
    /// The hints, from left to right.
    let hints: [GroupedHint]
    /// Whether the group is at the right end of the bar.
    let isAtEnd: Bool

    /// Creates a group of hints.
    init(_ label: String, isAtEnd: Bool = false, _ hints: [GroupedHint]) {
        (self.label, self.hints, self.isAtEnd) = (label, hints, isAtEnd)
    }

    /// The minimum width of a window with groups, in columns; narrower ones show the most important commands.
    static let minimumWidth = 110

    /// The groups while books are listed; the last one gives way first. A further command takes a line in its group; it
    /// appears wherever it applies.
    static let all: [HintGroup] = [
        .init(
            "MOVE",
            [
                .init(.move(.down)), .init(.move(.up)),
                .init(.move(.nextSection)), .init(.move(.previousSection)),
                .init(.back, "back", in: [.detail]),
                .init(.link(.next), "next name", in: [.detail]),
                .init(.open, "follow", in: [.detail]),
            ]),
        .init(
            "FIND",
            [
                .init(.search),
                .init(.jump),
                .init(.facets),
            ]),
        .init(
            "YOU",
            [
                .init(.favourite, "favourite", sign: "★"),
                .init(.status(.reading), "status", sign: "◐", isPrefix: true),
                .init(.rate, "rate", sign: "☆"),
                .init(.putOnShelf, "shelf"),
                .init(.note, "note"),
            ]),
        .init(
            "VIEW",
            [
                .init(.sort(.title), "sort", isPrefix: true),
                .init(.section(.letter), "group", isPrefix: true),
                .init(.cards, "cards"),
            ]),
        .init("", isAtEnd: true, [.init(.palette, "command")]),
        .init("", isAtEnd: true, [.init(.help, "help")]),
    ]
}

/// A command in a group of hints.
struct GroupedHint {
    /// The command.
    let command: Command
    /// The word after the key, or "".
    let text: String
    /// The sign next to the key in place of the word if the bar has no room for words, if any.
    let sign: String?
    /// Whether only the first key is shown, because more commands begin with it.
    let isPrefix: Bool
    /// The contexts that show the hint, if the command applies there.
    let contexts: Set<CommandContext>

    /// Creates the hint of a command.
    init(
        _ command: Command, _ text: String = "", sign: String? = nil, isPrefix: Bool = false,
        in contexts: Set<CommandContext> = .bookPanes
    ) {
        self.command = command
        self.text = text
        self.sign = sign
        self.isPrefix = isPrefix
        self.contexts = contexts
    }
}
