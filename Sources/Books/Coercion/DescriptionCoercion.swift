internal import JSON
internal import Text

/// Reading of descriptions: of plain text or HTML as paragraphs.
extension JSONValue {
    /// Paragraphs of plain text, a line feed between them: of text or HTML, of the strings of an array one after another, of
    /// an object's value, or of the first language. Nil where there is nothing to read.
    package var paragraphs: String? {
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
