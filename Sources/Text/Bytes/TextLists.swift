extension Sequence<String> {
    /// The texts in their order, each once.
    package func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Sequence {
    /// The first that `make` makes of the elements, each of which it is given at most once: `lazy.compactMap(_:).first` asks
    /// twice, and so within each other without end.
    package func firstMade<Made>(_ make: (Element) -> Made?) -> Made? {
        for element in self {
            if let made = make(element) { return made }
        }
        return nil
    }
}

extension Array {
    /// This, where it has any elements.
    package var nonEmpty: Self? { isEmpty ? nil : self }
}
