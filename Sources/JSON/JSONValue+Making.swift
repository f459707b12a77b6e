extension JSONValue {
    /// The value of a text that may be missing.
    package init?(_ text: String?) {
        guard let text else { return nil }
        self = .string(text)
    }

    /// The array of these texts.
    package init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// A whole number.
    package init(_ number: Int) { self = .number(String(number)) }

    /// The texts, where this is an array of nothing else.
    var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements {
            guard let text = element.string else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// The numbers, where this is an array of nothing else.
    package var integers: [Int]? {
        guard case .array(let elements) = self else { return nil }
        let integers = elements.compactMap(\.integer)
        return integers.count == elements.count ? integers : nil
    }
}
