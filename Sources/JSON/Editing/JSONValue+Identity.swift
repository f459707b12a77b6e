extension JSONValue {
    /// Whether both values are equal byte for byte. `==` also accepts texts that differ only in their normalization
    /// form.
    public func isIdentical(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let another)): one.utf8.elementsEqual(another.utf8)
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let members), .object(let others)):
            members.count == others.count
                && zip(members, others).allSatisfy { one, another in
                    one.key.utf8.elementsEqual(another.key.utf8) && one.value.isIdentical(to: another.value)
                }
        default: self == other
        }
    }
}
