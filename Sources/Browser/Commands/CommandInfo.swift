internal import Library

/// The name, keys, contexts and help of a command.
public struct CommandInfo: Sendable {
    /// The command.
    public let command: Command
    /// The name in the config file: "sort-by-title".
    public let name: String
    /// The title in help and the palette.
    public let title: String
    /// The standard keys, as typed: "gg", "^d", "PgDn"; hints show the first.
    public let keys: [String]
    /// The contexts in which the command applies.
    public let contexts: Set<CommandContext>
    /// The help text, one or two sentences.
    public let help: String
    /// Other words for what the command does, by which the palette finds it.
    let synonyms: [String]
    /// The hint in the hint bar, if any.
    let hint: CommandHint?
    /// What the command changes, if it changes user data or the catalog: it waits until a change of many books has ended.
    let changes: CommandSubject?
    /// Whether a pending jump to a row that is not loaded yet goes on.
    let keepsJump: Bool
    /// The argument that follows the keys, if any.
    let argument: CommandArgument?
    /// The ability that the source of the books must have, if any; if it does not, the command is hidden.
    let needs: SourceAbility?
    /// The command of another context with the same keys, if any; remapping that one remaps this one too.
    public let like: Command?
    /// The screen that the command opens, if any; performed again in that screen, the command closes it.
    let opens: ScreenOpener?
    /// The group in help and the palette.
    public private(set) var group = CommandGroup.program

    /// Creates a row of the table.
    init(
        _ command: Command, _ name: String, _ title: String, _ keys: [String], _ contexts: Set<CommandContext>,
        _ help: String, synonyms: [String] = [], changes: CommandSubject? = nil, keepsJump: Bool = false,
        argument: CommandArgument? = nil,
        needs: SourceAbility? = nil, like: Command? = nil, hint: CommandHint? = nil, opens: ScreenOpener? = nil
    ) {
        self.command = command
        self.name = name
        self.title = title
        self.keys = keys
        self.contexts = contexts
        self.help = help
        self.synonyms = synonyms
        self.hint = hint
        (self.changes, self.keepsJump) = (changes, keepsJump)
        self.argument = argument
        self.needs = needs
        self.like = like
        self.opens = opens
    }
}

extension CommandInfo {
    /// The command as a row of a Markdown table: keys, title, help.
    public var markdownRow: String {
        let keys = keys.map { "`\(KeyBindings.label(of: $0))`" }.joined(separator: " ")
        // A bar would end the cell.
        return "| \(keys.isEmpty ? "no key" : keys.replacing("|", with: "\\|")) | \(title) | \(help) |"
    }
}

/// The groups of commands in help and the palette.
public enum CommandGroup: String, CaseIterable, Sendable {
    case moving = "Moving"
    case panes = "Panes and columns"
    case books = "Books"
    case userData = "Your data"
    case editing = "Editing"
    case finding = "Finding"
    case order = "Sort and group"
    case program = "Program"
}

/// The screen that a command opens.
struct ScreenOpener: Sendable {
    /// The context of the screen.
    let context: CommandContext
    /// Creates the screen; returns nil and shows a message if that is not possible.
    let make: @Sendable (App) -> (any Screen)?
}

/// The hint of a command in the hint bar.
struct CommandHint: Sendable {
    /// The text of the hint.
    var text: String
    /// The text in contexts that need another word.
    var otherTexts: [CommandContext: String] = [:]
    /// The contexts that show the hint.
    var contexts: Set<CommandContext>
    /// The prefix key that is shown instead of the command's keys, if any.
    var prefix: String?
    /// The command that shares the hint, if any.
    var pair: Command?

    /// Returns the text in `context`.
    func text(in context: CommandContext) -> String { otherTexts[context] ?? text }
}

/// What a command changes.
enum CommandSubject: Sendable {
    /// The selected books, or else the current one.
    case selectedBooks
    /// The selected book if it is only one, or else the current one.
    case oneBook
    /// Lists, the history or the catalog.
    case other
}

/// An ability that not all sources of books have.
enum SourceAbility: Hashable, Sendable {
    /// The catalog can be reloaded.
    case reloading
    /// All books are in a local index.
    case localIndex
    /// The books can be edited.
    case editing

    /// The message if the source does not have the ability.
    var missingMessage: Message {
        switch self {
        case .reloading: .pipeCannotReload
        case .localIndex: .needsLocalIndex
        case .editing: .catalogReadOnly
        }
    }
}

/// The argument that is typed after the keys of a command.
enum CommandArgument: Hashable, Sendable {
    /// A letter, a to z.
    case letter
    /// A rating, 0 to 5, or + or - for half a star more or less.
    case rating
    /// The first character of titles or names; a number before the keys takes its place.
    case firstCharacter
    /// The number of a list, 1 to 9. It is the last of the command's keys: the first keys bound to it are of list 1.
    case listNumber

    /// Whether a number before the keys takes the place of the argument.
    var mayBeNumber: Bool { self == .firstCharacter }

    /// Whether `character` is a valid argument.
    func accepts(_ character: Character) -> Bool {
        switch self {
        case .letter: character.isASCII && character.isLowercase
        case .rating: ("0"..."5").contains(character) || "+-".contains(character)
        case .firstCharacter: !character.isWhitespace
        case .listNumber: ("1"..."9").contains(character)
        }
    }

    /// The valid arguments, in words.
    var label: String {
        switch self {
        case .letter: "a to z"
        case .rating: "0 to 5, + or -"
        case .firstCharacter: "a letter"
        case .listNumber: "1 to 9"
        }
    }
}

/// A command with the number that was typed before it and the argument after it.
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

    /// The row of the command in the table.
    public var info: CommandInfo {
        guard let info = Self.infos[self] else { preconditionFailure("\(self) is not in the table of commands") }
        return info
    }
}

extension Set<CommandContext> {
    /// The contexts of books.
    static let bookPanes: Self = [.books, .detail]
    /// The panes of the main screen.
    static let panes: Self = [.lists, .books, .detail]
    /// The contexts with rows.
    static let tables: Self = [
        .lists, .books, .facets, .columns, .history, .log, .replacement, .duplicates, .values, .lookup,
    ]
    /// The contexts with sections.
    static let sectioned: Self = [.books, .detail, .facets, .duplicates, .values]
    /// The contexts in which keys are text first.
    static let typing: Self = [.search, .palette, .shelves, .catalogs, .prompt, .form, .jump]
    /// The contexts in which keys are commands.
    static let commanding = everywhere.subtracting(typing)
    /// The contexts that scroll rows or text; in some of them keys are text.
    static let scrolling = everywhere.subtracting([.prompt, .form])
    /// The contexts that Esc closes.
    static let closing = everywhere.subtracting(panes).subtracting([.search])
    /// All contexts.
    static let everywhere = Self(CommandContext.allCases)
}

extension CommandInfo {
    /// Returns `infos` with their group set.
    static func group(_ group: CommandGroup, _ infos: [CommandInfo]) -> [CommandInfo] {
        infos.map { info in
            var info = info
            info.group = group
            return info
        }
    }
}
