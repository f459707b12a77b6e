extension JSONValue {
    /// Creates a string, or nil for nil.
    public init?(_ text: String?) {
        guard let text else { return nil }
        self = .string(text)
    }

    /// Creates an array of strings.
    public init(_ texts: [String]) { self = .array(texts.map(JSONValue.string)) }

    /// Creates an integer.
    public init(_ number: Int) { self = .number(String(number)) }

    /// The strings of an array that contains nothing else.
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

    /// The integers of an array that contains nothing else.
    public var integers: [Int]? {
        guard case .array(let elements) = self else { return nil }
        let integers = elements.compactMap(\.integer)
        return integers.count == elements.count ? integers : nil
    }
}
