extension Sequence<String> {
    /// Returns the texts in order without duplicates.
    public func uniqued() -> [String] {
        let texts = Array(self)
        // Nearly all lists of a book have a text or two; hashing those took a tenth of the time of decoding a record.
        if texts.count < 2 || texts.count == 2 && texts[0] != texts[1] { return texts }
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}

extension Sequence {
    /// Returns the first non-nil result of `make`, which is called at most once per element:
    /// `lazy.compactMap(_:).first` calls it twice, and nested uses multiply.
    public func firstMade<Made>(_ make: (Element) -> Made?) -> Made? {
        for element in self {
            if let made = make(element) { return made }
        }
        return nil
    }
}

extension Collection {
    /// This collection, or nil if it is empty.
    public var nonEmpty: Self? { isEmpty ? nil : self }
}
