import Foundation
import Testing

@testable import Graphemes
@testable import Library

@Suite("Messages: every one of the table") struct MessageTests {
    /// Values as they usually are.
    private static let samples = [
        "count": "10,000", "row": "1,000,000", "number": "12,345", "percent": "40", "key": "^r", "letter": "a",
        "books": "The Left Hand of Darkness", "name": "Science fiction", "names": "title, author, year", "more": "",
        "query": "author:melville", "text": "xyz", "order": "rating, highest first", "end": "top", "stars": "★★★★☆",
        "status": "Reading", "reason": "permission denied", "change": "★★★★☆ for Emma",
        "action": "Changing 10,000 books",
        "percentage": "40", "message": "No match for rabit", "words": "rabbit (40)", "path": "~/books.json",
        "link": "https://example.org/1", "position": "line 12, column 3", "program": "vi", "records": "100 records",
        "advice": "Set BROWSER to another program",
    ]

    private static func sample(_ message: Message) -> String {
        message.text(message.placeholders.map { samples[$0] ?? "" })
    }

    @Test(arguments: Message.allCases)
    func itsPlaceholdersAreKnownAndFilled(message: Message) {
        #expect(message.placeholders.allSatisfy { Self.samples[$0] != nil }, "\(message.placeholders)")
        #expect(!Self.sample(message).contains { "{}".contains($0) })
        #expect(message.rawValue.count { $0 == "{" } == message.placeholders.count)
    }

    /// The status line has room for 80 columns less the position; what is longer wraps to at most three lines.
    @Test(arguments: Message.allCases)
    func itIsShort(message: Message) {
        let columns = Self.sample(message).displayColumns
        #expect(columns <= 150, "\(columns) columns: \(Self.sample(message))")
    }

    @Test func nearlyAllFitOnALineOfEightyColumns() {
        let long = Message.allCases.filter { Self.sample($0).displayColumns > 78 }
        #expect(long.count * 8 < Message.allCases.count, "\(long.map(Self.sample))")
    }

    /// Turns of phrase that a native technical writer would not use, and words with another meaning here.
    private static let banned = [
        " is no book", " is no cat", "There is ", "there is ", "There are ", "there are ", " such a", "has such",
        " so ", "anew", "of which", "where there", ", where",
        "any more", "no longer a ", "taken back", "Taken back", "made again", "reader", "left out", "passed over",
        "what is ", "marked", " mark ", "marks", "mend", "one a line", "behind ", "!", "  ",
    ]

    @Test(arguments: Message.allCases)
    func itHasNoBannedTurnOfPhrase(message: Message) {
        for phrase in Self.banned {
            #expect(!message.rawValue.contains(phrase), "“\(phrase)” in \(message.rawValue)")
        }
        #expect(!message.rawValue.contains("\"") && !message.rawValue.contains("..."))
    }

    /// Messages of failure after which nothing can or need be done.
    private static let withoutNextStep: Set<Message> = [
        .commandUnavailable, .pipeCannotReload, .needsLocalIndex, .onePaneOnly, .bookNotListed, .nothingBack,
        .nothingForward, .noMatchHere, .noMatch, .noMatchFor, .noSuchProperty,
        .noBooksInCatalog, .emptyList, .nothingToCount, .noValueContains, .noMessages, .noChanges, .noCommand,
        .noMatchingShelf, .onNoShelf, .nothingCompletes, .onNoShelves, .notSelectable, .builtInList, .nothingToUndo,
        .nothingToRedo, .nothingChangedSince, .keptUntilQuit, .notSavedYet, .noneHasProperty, .noClipboard,
        .noOpener, .noLink, .noLinks, .nothingToExport, .nothingOfYours, .lastChangesLost, .nothingMatches,
        .notGrouped, .noFavourites, .readAsWindows1252, .lastCatalogGone,
        // The reason, or what is said with them, has the next step.
        .noteUnchanged, .historyUnreadable, .userDataUnreadable, .positionNotSaved, .notCopied, .notExported,
        .profileInvalid, .unreadableFrom, .skippedItem, .skippedItems, .changesNotKept, .preferencesNewer,
        .nothingChanged,
    ]

    @Test(arguments: Message.allCases)
    func whatFailedHasANextStep(message: Message) {
        let text = message.rawValue.lowercased()
        let isFailure = ["no ", "not ", "cannot ", "nothing "].contains {
            text.hasPrefix($0) || text.contains(" " + $0)
        }
        guard isFailure, !Self.withoutNextStep.contains(message) else { return }
        #expect(message.rawValue.contains(". ") || message.rawValue.contains("; "), "\(message.rawValue)")
    }

    /// The table is all there is: no other file says a message of its own.
    @Test func theStatusLineSaysNothingElse() throws {
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
