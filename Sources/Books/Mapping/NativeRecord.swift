public import JSON

extension Book {
    /// Returns the record of this book in the native format, with the same names, types and order for every book and
    /// catalog.
    ///
    /// `id` is `identity`; the catalog's key is `sourceID`. The five basic fields are always present and empty or
    /// `null` if unknown; all others are present only if known. `otherFields` are omitted.
    public func nativeRecord(identity: BookIdentity) -> JSONValue {
        var members = [JSONValue.Member(key: "id", value: .string(identity.description))]
        members.reserveCapacity(BookField.builtIn.count + 1)
        for (number, field) in BookField.builtIn.enumerated() {
            let info = field.info
            if let value = info.accessor.native(self) {
                members.append(.init(key: info.nativeKey, value: value))
            } else if number < Self.basicFieldCount {
                members.append(.init(key: info.nativeKey, value: info.accessor.absent))
            }
        }
        return .object(members)
    }

    /// The number of fields that every record has: title, authors, ISBN, pages and fiction.
    private static let basicFieldCount = 5
}
