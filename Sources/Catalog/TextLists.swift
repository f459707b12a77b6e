extension Sequence<String> {
    /// The texts in their order, each once. Linear on the average; quadratic in the first few, as those of most books are no
    /// more, and to make a set takes longer than to look at all of them.
    func uniqued() -> [String] {
        var found: [String] = []
        var rest = makeIterator()
        while found.count < 16 {
            guard let text = rest.next() else { return found }
            if !found.contains(text) { found.append(text) }
        }
        var seen = Set(found)
        while let text = rest.next() {
            if seen.insert(text).inserted { found.append(text) }
        }
        return found
    }
}

extension [String] {
    /// The texts with `separator` between them.
    ///
    /// By hand, as `joined(separator:)` is put together at run time, and this is on the way to the first screen.
    package func concatenated(by separator: String) -> String {
        guard var text = first else { return "" }
        for part in dropFirst() {
            text += separator
            text += part
        }
        return text
    }
}
