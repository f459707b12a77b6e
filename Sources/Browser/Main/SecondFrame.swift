/// The parts of the screen that follow in a second frame, because the answer to a key comes first.
final class SecondFrame {
    /// What the first frame leaves out.
    enum First {
        /// Nothing.
        case whole
        /// Counts that take longer than the rest of the screen.
        case start
        /// All that the key does not ask for.
        case answer
    }

    /// What the current frame leaves out.
    private(set) var first = First.whole
    private var parts: [() -> Void] = []

    /// Whether parts are still to follow.
    var isDue: Bool { !parts.isEmpty }

    /// Begins a frame, which makes the parts that are still to follow unless it leaves them out, too.
    func begin(_ first: First) { (self.first, parts) = (first, []) }

    /// Makes a part of the screen, in the second frame if the first one leaves it out.
    func make(ifLeftOut isLeftOut: Bool, _ part: @escaping () -> Void) {
        if isLeftOut { parts.append(part) } else { part() }
    }

    /// Makes the parts that were left out.
    func complete() {
        parts.forEach { $0() }
        begin(.whole)
    }
}
