internal import Books
internal import Search

/// A group of hints in the hint bar of a wide window: the keys of commands that belong together.
struct HintGroup {
    /// The label before the keys; "" for none.
    let label: String
    /// The hints, from left to right.
    let hints: [GroupedHint]
    /// Whether the group stays if the others do not fit.
    var isKept = false

    /// Creates a group of hints.
    init(_ label: String, isKept: Bool = false, _ hints: [GroupedHint]) {
        (self.label, self.hints, self.isKept) = (label, hints, isKept)
    }

    /// The minimum width of a window with groups, in columns; narrower ones show the most important commands.
    static let minimumWidth = 110

    /// The groups while books are listed. A further command takes a line in its group; it appears wherever it applies.
    static let all: [HintGroup] = [
        .init(
            "MOVE",
            [
                .init(.move(.down)), .init(.move(.up)),
                .init(.move(.nextSection)), .init(.move(.previousSection)),
                .init(.back, "back", in: [.detail]),
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
                .init(.favourite, "★"),
                .init(.status(.reading), "◐", isPrefix: true),
                .init(.rate, "☆"),
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
        .init(
            "EDIT", isKept: true,
            [
                .init(.editBook, "edit"),
                .init(.deleteBook, "delete"),
                .init(.saveCatalog, "save"),
            ]),
        .init("", isKept: true, [.init(.palette, "command")]),
        .init("", isKept: true, [.init(.help, "help")]),
    ]
}

/// A command in a group of hints.
struct GroupedHint {
    /// The command.
    let command: Command
    /// What stands after the key: a word, a sign, or nothing.
    let text: String
    /// Whether only the first key is shown, because more commands begin with it.
    let isPrefix: Bool
    /// The contexts that show the hint, if the command applies there.
    let contexts: Set<CommandContext>

    /// Creates the hint of a command.
    init(
        _ command: Command, _ text: String = "", isPrefix: Bool = false, in contexts: Set<CommandContext> = .bookPanes
    ) {
        self.command = command
        self.text = text
        self.isPrefix = isPrefix
        self.contexts = contexts
    }

    /// Whether the text is a sign, which stands next to the key.
    var isSign: Bool { text.count == 1 }
}
