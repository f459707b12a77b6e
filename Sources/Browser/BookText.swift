internal import Catalog
internal import TerminalUI

/// How a book reads where a field is missing. The data is not changed by what is shown.
extension Book {
    /// The title, or "Untitled" where there is nothing of it to see.
    var shownTitle: String { Glyphs(title).contains { $0 != .space } ? title : "Untitled" }

    /// What stands in place of a book whose record is not there any more.
    static var missingText: String { "Changed on disk: \(Command.reload.firstKeyLabel) reads it again" }

    /// The authors, or "Unknown author".
    var shownAuthors: String { authors.isEmpty ? "Unknown author" : authors.joined(separator: ", ") }

    /// The ISBN for reading, or "–".
    var shownISBN: String {
        guard let isbn else { return "–" }
        return isbn.isValid ? isbn.formatted : isbn.text + " (not a valid ISBN)"
    }

    /// The number of pages, or "–".
    var shownPages: String { pageCount.map { $0.grouped } ?? "–" }

    /// "Fiction", "Non-fiction", or "–" where the catalog does not say.
    var shownKind: String {
        switch fiction {
        case true: "Fiction"
        case false: "Non-fiction"
        case nil: "–"
        }
    }
}

extension Int {
    /// The number with its thousands set apart by commas: 1,000,000.
    package var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// The number with a noun: "1 book", "2,000 books".
    package func of(_ singular: String) -> String {
        "\(grouped) \(singular)\(self == 1 ? "" : "s")"
    }
}
