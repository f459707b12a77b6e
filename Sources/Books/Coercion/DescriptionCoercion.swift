public import JSON
internal import Text

/// Lenient parsing of descriptions in plain text or HTML.
extension JSONValue {
    /// Plain-text paragraphs separated by line feeds, from text, HTML, the elements of an array, or the value or first
    /// language of an object.
    public var paragraphs: String? {
        switch self {
        case .string(let string):
            let text = HTMLText.paragraphs(of: string)
            return text.isEmpty ? nil : text
        case .number(let number): return number
        case .array(let elements):
            let texts = elements.compactMap(\.paragraphs)
            return texts.isEmpty ? nil : texts.joined(separator: "\n")
        case .object:
            return ["value", "@value", "text", "content", "html"].firstMade { self[$0]?.paragraphs }
                ?? firstLanguage?.paragraphs
        case .null, .boolean: return nil
        }
    }
}
