public import JSON
internal import Text

extension JSONValue {
    /// The languages without duplicates: BCP 47 tags, or the original texts for which no tag is known.
    public var languages: [String] {
        // Fast path: most books have a single language.
        if case .string(let string) = self, let tag = LanguageTag(string) { return [tag.text] }
        return listed(by: ["key", "code", "id", "@id", "value", "@value", "name", "label"])
            .flatMap { LanguageTag.tags(naming: $0).map(\.text).nonEmpty ?? [$0] }
            .uniqued()
    }
}
