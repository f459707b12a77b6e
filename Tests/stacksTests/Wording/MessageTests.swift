import Foundation
import Testing

@testable import Catalog
@testable import Graphemes
@testable import Library
@testable import Search
@testable import Shelves
@testable import Text
@testable import stacks

/// Checks the message tables of all modules, which contain every message.
@Suite("Messages: all tables") struct MessageTests {
    /// A message of any table.
    struct Entry: Hashable, CustomTestStringConvertible {
        let table: String
        let name: String
        let template: String
        let placeholders: [String]
        /// The message with typical values.
        let sample: String

        init<Table: MessageTable>(_ message: Table) {
            table = "\(Table.self)"
            name = "\(message)"
            template = message.rawValue
            placeholders = message.placeholders
            sample = message.text(message.placeholders.map { MessageTests.samples[$0] ?? "" })
        }

        var testDescription: String { "\(table).\(name)" }
    }

    private static func entries<Table: MessageTable>(of table: Table.Type) -> [Entry] { table.allCases.map(Entry.init) }

    static let all =
        entries(of: Message.self) + entries(of: CommandMessage.self) + entries(of: SyntaxMessage.self)
        + entries(of: QueryMessage.self)
        + entries(of: ProfileMessage.self) + entries(of: SnapshotMessage.self) + entries(of: ConfigMessage.self)
        + entries(of: WizardMessage.self)

    /// Tables whose straight quotation marks are those of the file that they describe.
    private static let quotingTables: Set<String> = ["ProfileMessage", "ConfigMessage"]

    /// Typical values.
    static let samples = [
        "host": "covers.openlibrary.org", "count": "10,000", "row": "1,000,000", "number": "12,345", "percent": "40",
        "key": "^r", "letter": "a",
        "books": "The Left Hand of Darkness", "name": "Science fiction", "names": "title, author, year", "more": "",
        "query": "author:melville", "text": "xyz", "order": "rating, highest first", "end": "top", "stars": "★★★★☆",
        "status": "Reading", "reason": "permission denied", "change": "★★★★☆ for Emma",
        "action": "Changing 10,000 books", "means": "Landlock 6 (files, TCP, signals) and seccomp",
        "percentage": "40", "year": "2026", "message": "No match for rabit", "words": "rabbit (40)",
        "path": "~/books.json",
        "link": "https://example.org/1", "date": "2026-11-21 09:30", "position": "line 12, column 3", "program": "vi",
        "records": "100 records", "groups": "36 groups", "field": "Authors",
        "advice": "Set BROWSER to another program", "examples": "500, >500, 300..500", "values": "Page counts",
        "kind": "a whole number", "hint": ". Did you mean “theme”?", "others": "3 other sequences",
        "example": #"{"done": "read"}"#,
        "type": "xterm-256color", "form": "sixel", "table": "books", "place": "on the server", "setting": "Theme dark",
        "file": "[panes] of config.toml", "line": "lists = false", "rate": ", 1.2 MB/s",
    ]

    @Test(arguments: all)
    func itsPlaceholdersAreKnownAndFilled(message: Entry) {
        #expect(message.placeholders.allSatisfy { Self.samples[$0] != nil }, "\(message.placeholders)")
        let isFilled = !message.sample.contains { "{}".contains($0) }
        #expect(isFilled || message.placeholders.contains("example"))
        #expect(message.template.count { $0 == "{" } == message.placeholders.count)
    }

    /// The status line has 80 columns minus the position; longer messages wrap to at most three lines.
    @Test(arguments: all)
    func itIsShort(message: Entry) {
        let columns = message.sample.displayColumns
        #expect(columns <= 150, "\(columns) columns: \(message.sample)")
    }

    @Test func nearlyAllFitOnALineOfEightyColumns() {
        let long = Self.all.filter { $0.sample.displayColumns > 78 }
        #expect(long.count * 8 < Self.all.count, "\(long.map(\.sample))")
    }

    /// Phrases that a native technical writer would not use, and words with another meaning here.
    private static let banned = [
        " is no ", " are no ", " per cent", "(did you mean", "Type another", "There is ", "there is ", "There are ",
        "there are ", " such a", "has such",
        " so ", "anew", "of which", "where there", ", where",
        "any more", "no longer a ", "taken back", "Taken back", "made again", "reader", "left out", "passed over",
        "what is ", "marked", " mark ", "marks", "mend", "one a line", "behind ", "!", "  ",
    ]

    @Test(arguments: all)
    func itHasNoBannedPhrase(message: Entry) {
        for phrase in Self.banned {
            // Two leading blanks indent an answer.
            let text = message.template.dropFirst(2).replacing("quotation mark", with: "").replacing(
                "no longer", with: "not")
            #expect(!text.contains(phrase), "“\(phrase)” in \(message.template)")
        }
        #expect(!message.template.contains("\"") || Self.quotingTables.contains(message.table))
        #expect(!message.template.contains("..."))
    }

    /// Error messages without a possible or necessary next step.
    private static let withoutNextStep = Set(
        messagesWithoutNextStep.map(Entry.init) + commandMessagesWithoutNextStep.map(Entry.init)
            // They name the valid values, are part of another message, or precede a repeated question.
            + [QueryMessage.unknownValue].map(Entry.init) + [SnapshotMessage.writtenByNewerVersion].map(Entry.init)
            + configMessagesWithoutNextStep.map(Entry.init) + wizardMessagesWithoutNextStep.map(Entry.init))

    private static let configMessagesWithoutNextStep: [ConfigMessage] = [
        .notUTF8, .minimumWidth, .listShare, .readingGoal, .copyLimit, .catalogNameInvalid, .unknownCatalogSetting,
        .keyInterrupts, .keyIsCount,
    ]

    private static let wizardMessagesWithoutNextStep: [WizardMessage] = [
        .fieldNotFound, .nothingSaved, .optionDoesNotApply,
    ]

    private static let commandMessagesWithoutNextStep: [CommandMessage] = [
        .nothingMatches, .readAsWindows1252, .bytesReadAsWindows1252, .lastCatalogGone, .noteUnchanged, .profileInvalid,
        .changesNotKept,
        .nothingChanged, .connectorNotConfined,
    ]

    private static let messagesWithoutNextStep: [Message] = [
        .commandUnavailable, .pipeCannotReload, .needsLocalIndex, .onePaneOnly, .bookNotListed, .nothingBack,
        .nothingForward, .noMatchHere, .noMatch, .noMatchFor, .noSuchProperty,
        .noBooksInCatalog, .emptyList, .nothingToCount, .noValueContains, .noMessages, .noChanges, .noCommand,
        .noMatchingChange, .noMatchingReading, .noDuplicatesLeft, .noMatchingDuplicates, .nothingMerged,
        .noValuesOfField, .noMatchingValue, .valuesKept, .noMatchingShelf, .onNoShelf, .nothingCompletes, .onNoShelves,
        .notSelectable, .builtInList,
        .nothingToUndo, .nothingToRedo, .nothingChangedSince, .keptUntilQuit, .notSavedYet, .noneHasProperty,
        .noClipboard, .noOpener, .noLink, .noLinks, .nothingToExport, .nothingOfYours, .lastChangesLost,
        .notGrouped, .noFavourites, .guidePageMissing,
        // It names valid values.
        .valueDoesNotFit,
        // The reason, or the accompanying message, has the next step.
        .notListed, .someNotListed,
        .historyUnreadable, .userDataUnreadable, .positionNotSaved, .notCopied, .notExported,
        .unreadableFrom, .skippedItem, .skippedItems, .preferencesNewer,
        .nothingToSave, .nothingReplaced, .othersNotShown, .unlistedKept, .editNotUndoable,
        .sourceUnchanged,
    ]

    @Test(arguments: all)
    func errorsHaveANextStep(message: Entry) {
        let text = message.template.lowercased()
        let isFailure = ["no ", "not ", "cannot ", "nothing "].contains {
            text.hasPrefix($0) || text.contains(" " + $0)
        }
        guard isFailure, !Self.withoutNextStep.contains(message) else { return }
        #expect(message.template.contains(". ") || message.template.contains("; "), "\(message.template)")
    }

    /// The tables are complete: no other file contains a message.
    @Test func theTablesContainEveryMessage() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/Browser")
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            count += source.components(separatedBy: "status.say(").count - 1
            #expect(!source.contains("status.say(\""), "\(file.lastPathComponent)")
        }
        #expect(count > 40)
    }
}
