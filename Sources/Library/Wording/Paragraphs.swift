public import Books
public import Shelves

/// The number of lines of a text that are paragraphs of their own. The lines after them are one paragraph, since a text
/// can have a million.
private let separateLines = 1000

extension Book {
    /// The paragraphs of the description, with an empty line before each one but the first that is not a list item.
    public var descriptionParagraphs: [String] {
        guard let description, !description.isEmpty else { return [] }
        var paragraphs: [String] = []
        // Splitting bytes: finding character boundaries would cost more than everything else here.
        let lines = description.utf8.split(separator: UInt8(ascii: "\n"), maxSplits: separateLines)
        for line in lines.map(Substring.init) {
            let isItem =
                line.hasPrefix("• ") || line.first?.isNumber == true && line.drop(while: \.isNumber).hasPrefix(". ")
            if !isItem && !paragraphs.isEmpty { paragraphs.append("") }
            paragraphs.append(String(line))
        }
        return paragraphs
    }
}

extension UserBookData {
    /// The lines of the note.
    public var noteLines: [String] {
        let lines = note?.split(
            maxSplits: separateLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return lines?.map(String.init) ?? []
    }

    /// The status with its date, "Read, 2026-11-21".
    var datedStatus: String? {
        status.map { status in status.shown + (statusDates[status].map { ", " + $0 } ?? "") }
    }
}
