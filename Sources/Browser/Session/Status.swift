internal import Library
internal import Text

/// What the status line says until the next key, and what it said before.
final class Status {
    /// What it says; "" for nothing.
    private(set) var text = ""
    /// Whether the last key changed what can be undone.
    var offersUndo = false
    /// What was said before in this run, oldest first.
    private var earlier: [String] = []
    /// Whether what it says now was kept already.
    private var isKept = true

    /// How many sentences are kept.
    private static let maximumCount = 1000

    /// Says `sentence` in place of what was said.
    func say(_ sentence: String) {
        if sentence == text { return }
        text = sentence
        isKept = false
    }

    /// Says a message of the table in place of what was said.
    func say(_ message: Message, _ values: String...) { say(message.text(values)) }

    /// Says `sentence` behind what is said already.
    func add(_ sentence: String) { say(text.isEmpty ? sentence : text + "; " + sentence) }

    /// Says nothing any more.
    func clear() { text = "" }

    /// Keeps what was said, as something else may be said from now on.
    func keep() {
        guard !isKept else { return }
        isKept = true
        guard !text.isEmpty else { return }
        earlier.append(text)
        if earlier.count > Self.maximumCount { earlier.removeFirst(earlier.count - Self.maximumCount) }
    }

    /// All that was said in this run, newest first.
    var log: [String] {
        let current = isKept || text.isEmpty ? [] : [text]
        return current + earlier.reversed()
    }
}
