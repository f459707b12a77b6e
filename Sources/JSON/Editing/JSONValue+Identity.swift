private import Glibc

extension JSONValue {
    /// Whether both values are equal byte for byte. `==` also accepts texts that differ only in their normalization
    /// form.
    public func isIdentical(to other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let another)): one.hasSameBytes(as: another)
        case (.array(let elements), .array(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let members), .object(let others)):
            members.count == others.count
                && zip(members, others).allSatisfy { one, another in
                    one.key.hasSameBytes(as: another.key) && one.value.isIdentical(to: another.value)
                }
        default: self == other
        }
    }
}

extension String {
    /// Whether both texts are the same byte for byte.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { bytes in
            other.withUTF8 { others in
                guard let base = bytes.baseAddress, let otherBase = others.baseAddress else { return true }
                return memcmp(base, otherBase, bytes.count) == 0
            }
        }
    }
}
