internal import Library

/// What a command is called, which keys give it, where it applies, and what it does.
public struct CommandInfo: Sendable {
    /// The command.
    public let command: Command
    /// Its name in the config file, in words: "sort-by-title".
    public let name: String
    /// What it is called.
    public let title: String
    /// The keys that give it, as a reader would type them: "gg", "^d", "PgDn"; the first is shown in hints.
    public let keys: [String]
    /// Where it applies.
    public let contexts: Set<CommandContext>
    /// What it does, in a sentence.
    public let help: String
    /// Its place in the hint bar, if any.
    let hint: CommandHint?
    /// What must be typed behind its keys, if anything.
    let argument: CommandArgument?
    /// The ability that the source of the books must have, if any; without it the command is hidden.
    let needs: SourceAbility?
    /// The command elsewhere whose keys it has too, if any: who gives that others means this one as well.
    public let like: Command?
    /// The screen that it opens, and closes when given there again.
    let opens: ScreenOpener?
    /// What it has in common with others, in help and the palette.
    public private(set) var group = CommandGroup.program

    /// A row of the table.
    init(
        _ command: Command, _ name: String, _ title: String, _ keys: [String], _ contexts: Set<CommandContext>,
        _ help: String, argument: CommandArgument? = nil, needs: SourceAbility? = nil, like: Command? = nil,
        hint: CommandHint? = nil, opens: ScreenOpener? = nil
    ) {
        self.command = command
        self.name = name
        self.title = title
        self.keys = keys
        self.contexts = contexts
        self.help = help
        self.hint = hint
        self.argument = argument
        self.needs = needs
        self.like = like
        self.opens = opens
    }
}

/// What commands have in common, in help and the palette.
public enum CommandGroup: String, CaseIterable, Sendable {
    case moving = "Moving"
    case panes = "Panes and columns"
    case books = "Books"
    case own = "Your data"
    case editing = "Editing"
    case finding = "Finding"
    case order = "Order and groups"
    case program = "Program"
}

/// The screen that a command opens.
struct ScreenOpener: Sendable {
    /// What has the keyboard there.
    let context: CommandContext
    /// Makes the screen; nil, and a message, if that cannot be.
    let make: @Sendable (App) -> (any Screen)?
}

/// A command's place in the hint bar.
struct CommandHint: Sendable {
    /// What it is called there.
    var text: String
    /// What it is called in a context where another word fits better.
    var otherTexts: [CommandContext: String] = [:]
    /// Where it is shown.
    var contexts: Set<CommandContext>
    /// The key that is shown in place of its own ones, if others must follow it.
    var prefix: String?
    /// The command that shares the hint, if any.
    var pair: Command?

    /// Returns the text in `context`.
    func text(in context: CommandContext) -> String { otherTexts[context] ?? text }
}

/// What a source of books can do that others cannot.
enum SourceAbility: Hashable, Sendable {
    /// It can be read again.
    case reloading
    /// All its books are at hand, known by an index.
    case localIndex
    /// Its books can be changed.
    case editing

    /// What is said if it cannot.
    var missingMessage: Message {
        switch self {
        case .reloading: .pipeCannotReload
        case .localIndex: .needsLocalIndex
        case .editing: .catalogReadOnly
        }
    }
}

/// What is typed behind a command's keys.
enum CommandArgument: Hashable, Sendable {
    /// A letter, a to z.
    case letter
    /// A rating, 0 to 5.
    case rating

    /// Whether `character` is one.
    func accepts(_ character: Character) -> Bool {
        switch self {
        case .letter: character.isASCII && character.isLowercase
        case .rating: ("0"..."5").contains(character)
        }
    }

    /// What it can be, for people.
    var label: String {
        switch self {
        case .letter: "a to z"
        case .rating: "0 to 5"
        }
    }
}

/// A command, with the number that was typed before it, and the character behind it.
struct CommandRequest: Hashable {
    /// The command.
    var command: Command
    /// The number, if one was typed.
    var count: Int?
    /// The character, if the command has an argument.
    var argument: Character?
}

extension Command: CaseIterable {
    /// All commands, in the order of the table.
    public static let allCases: [Command] = CommandInfo.all.map(\.command)

    private static let infos = Dictionary(uniqueKeysWithValues: CommandInfo.all.map { ($0.command, $0) })

    /// Its row in the table.
    public var info: CommandInfo {
        guard let info = Self.infos[self] else { preconditionFailure("\(self) is not in the table of commands") }
        return info
    }

    /// Whether it changes user data or the catalog, which has to wait for a change of many books.
    var changesUserData: Bool {
        switch self {
        case .favourite, .putOnShelf, .takeOffShelf, .status, .rate, .note, .undo, .redo, .history, .saveSearch,
            .newShelf, .renameList, .deleteList, .moveList, .addBook, .editBook, .editRecord, .deleteBook, .moveBook,
            .saveCatalog:
            true
        default: false
        }
    }

    /// Whether it cancels a pending jump to a row that is not loaded yet.
    var cancelsJump: Bool {
        switch self {
        case .help, .palette, .redraw, .suspend, .quit, .interrupt, .resizePane, .resizeColumn, .saveCatalog: false
        default: true
        }
    }
}

extension Set<CommandContext> {
    /// Where books are in front.
    static let bookPanes: Self = [.books, .detail]
    /// The panes of the main screen.
    static let panes: Self = [.lists, .books, .detail]
    /// Where rows are gone through.
    static let tables: Self = [.lists, .books, .facets, .columns, .history]
    /// Where rows stand in sections.
    static let sectioned: Self = [.books, .detail, .facets]
    /// Where keys are text first.
    static let typing: Self = [.search, .palette, .shelves, .prompt, .form]
    /// Where keys give commands.
    static let commanding = everywhere.subtracting(typing)
    /// Where rows or text are gone through, in some while keys are text.
    static let scrolling = everywhere.subtracting([.prompt, .form])
    /// Where Esc closes something.
    static let closing = everywhere.subtracting(panes).subtracting([.search])
    /// Everywhere.
    static let everywhere = Self(CommandContext.allCases)
}

extension CommandInfo {
    /// The commands of `infos`, in a group.
    static func group(_ group: CommandGroup, _ infos: [CommandInfo]) -> [CommandInfo] {
        infos.map { info in
            var info = info
            info.group = group
            return info
        }
    }
}
