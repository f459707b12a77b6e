internal import Library
internal import Text

/// The message in the status line, shown until the next key, and the earlier messages.
final class Status {
    /// The message; "" for none.
    private(set) var text = ""
    /// The command that reverses what the last key did: undo after a change, redo after undoing one.
    var offer: Command?
    /// The message about changes of the user data that are being saved, unless a key was pressed since.
    var unconfirmed: Confirmation?
    /// The earlier messages of this run, oldest first.
    private var earlier: [String] = []
    /// Whether the current message is among the earlier ones already.
    private var isKept = true

    /// The maximum number of messages kept.
    private static let maximumCount = 1000

    /// Shows `sentence` instead of the current message.
    func say(_ sentence: String) {
        if sentence == text { return }
        text = sentence
        // A message that is shown again, because what it says goes on, is logged once.
        isKept = earlier.last == sentence
    }

    /// Shows a message of the table instead of the current message.
    func say(_ message: Message, _ values: String...) { say(message.text(values)) }

    /// Appends `sentence` to the current message.
    func add(_ sentence: String) { say(text.isEmpty ? sentence : text + ". " + sentence) }

    /// Clears the status line, at the next key. How quickly a change was saved must not decide what the line says then.
    func clear() {
        text = ""
        unconfirmed = nil
    }

    /// Adds the current message to the log, because another one may replace it.
    func keep() {
        guard !isKept else { return }
        isKept = true
        guard !text.isEmpty else { return }
        earlier.append(text)
        if earlier.count > Self.maximumCount { earlier.removeFirst(earlier.count - Self.maximumCount) }
    }

    /// All messages of this run, newest first.
    var log: [String] {
        let current = isKept || text.isEmpty ? [] : [text]
        return current + earlier.reversed()
    }
}
