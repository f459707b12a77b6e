/// A question that a save or a server has for the user.
enum SessionQuestion: Hashable, CaseIterable {
    /// The user and password for a server that shows books only to users it knows.
    case passwordToRead
    /// The user and password for a server that takes edits only from users it knows.
    case passwordToSave
    /// Which side is right where edits clash with changes of others.
    case clashes
}

/// The questions of saves and servers, which wait until the main screen has the keyboard.
struct QuestionQueue {
    private var waiting: [SessionQuestion] = []
    /// The question whose screen is open, if any.
    private var asked: SessionQuestion?

    /// Adds a question, unless it waits or is being asked already: several requests that fail together ask once.
    mutating func add(_ question: SessionQuestion) {
        if question != asked && !waiting.contains(question) { waiting.append(question) }
    }

    /// Removes the next question, which counts as being asked until `endAsking()`; returns nil if there is none.
    mutating func next() -> SessionQuestion? {
        asked = waiting.isEmpty ? nil : waiting.removeFirst()
        return asked
    }

    /// Notes that the screen of the question is closed, so that the question can be asked again.
    mutating func endAsking() { asked = nil }
}
