package import JSON
internal import Text

extension JSONValue {
    /// The languages that a value says, each once: tags of BCP 47, or what is written where no tag is known for it.
    package var languages: [String] {
        // One language alone is that of most books.
        if case .string(let string) = self, let tag = LanguageTag(string) { return [tag.text] }
        return listed(by: ["key", "code", "id", "@id", "value", "@value", "name", "label"])
            .map { LanguageTag(naming: $0)?.text ?? $0 }
            .uniqued()
    }
}
