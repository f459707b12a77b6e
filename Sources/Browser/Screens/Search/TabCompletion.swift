internal import Library
internal import Search
internal import TerminalUI
internal import Threading

/// The completions that repeated Tab cycles through in the search bar.
struct TabCompletion {
    /// A completion of the unfinished word.
    struct Candidate {
        /// The text, in query syntax.
        var text: String
        /// The label in the message that lists the candidates.
        var label: String
    }

    /// The line with the current candidate; any other change ends the completion.
    private(set) var editor: LineEditor
    private let head: String
    private let tail: String
    private let candidates: [Candidate]
    private var index = 0

    /// The number of candidates in a message.
    private static let pageSize = 6

    /// Creates the completion of the UTF-8 byte range `range` of a line, with the first of `candidates`; fails if
    /// there are none.
    init?(_ candidates: [Candidate], replacing range: Range<Int>, of text: String) {
        guard let first = candidates.first else { return nil }
        self.candidates = candidates
        let bytes = Array(text.utf8)
        head = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        var rest = bytes[range.upperBound...]
        // The candidate contains its own closing quotation mark.
        if bytes[range].first == UInt8(ascii: "\""), rest.first == UInt8(ascii: "\"") { rest = rest.dropFirst() }
        tail = String(decoding: rest, as: UTF8.self)
        editor = LineEditor(head + first.text, beforeCursor: tail)
    }

    /// Replaces the current candidate by the next one, or the last by the first.
    mutating func advance() {
        index = (index + 1) % candidates.count
        editor = LineEditor(head + candidates[index].text, beforeCursor: tail)
    }

    /// Whether there is only one candidate.
    var isSingle: Bool { candidates.count == 1 }

    /// The message that lists the candidates around the current one; "" for a single candidate.
    var message: String {
        if candidates.count == 1 { return "" }
        let start = index / Self.pageSize * Self.pageSize
        let page = candidates[start..<min(start + Self.pageSize, candidates.count)].map(\.label)
        return page.joined(separator: " · ") + (start + Self.pageSize < candidates.count ? " · …" : "")
    }
}

extension LineEditor {
    /// Creates an editor with the cursor between `text` and `tail`.
    fileprivate init(_ text: String, beforeCursor tail: String) {
        self.init(text + tail)
        for _ in tail { _ = react(to: .left) }
    }
}
