internal import Text

/// The words typed to filter the rows of a screen. A text matches if it has each of them at any place; upper case and
/// accents do not count.
struct FilterWords {
    /// The words, normalized.
    let words: [String]
    /// Whether nothing but blanks was typed, so that all texts match.
    let isEmpty: Bool

    /// Creates the words of the typed `text`.
    init(_ text: String) {
        words = text.folded.split(separator: " ").map(String.init)
        isEmpty = text.allSatisfy(\.isWhitespace)
    }

    /// Whether `text` has all words.
    func match(_ text: String) -> Bool { isEmpty || match(folded: text.folded) }

    /// Whether the normalized `text` has all words. A hundred thousand names take a few milliseconds.
    func match(folded text: String) -> Bool { match { text.hasBytes(of: $0) } }

    /// Whether each of the words is found.
    func match(_ isFound: (String) -> Bool) -> Bool {
        // Combining marks alone are no words, and match nothing.
        isEmpty || !words.isEmpty && words.allSatisfy(isFound)
    }
}
