internal import Text

/// A publisher with what follows it in a text about an edition, as LibraryThing writes it: "Press (1989), Edition: First,
/// 320 pages".
public struct Imprint: Hashable, Sendable {
    /// The publisher.
    public var publisher: String
    private let rest: String

    /// The text as it is written.
    public var text: String { publisher + rest }

    /// Reads a text; fails if there is no year in parentheses at its end or before a comma.
    public init?(_ text: String) {
        for start in text.indices where text[start] == "(" {
            let year = text[start...].dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard year.count == 4, text[year.endIndex...].first == ")" else { continue }
            let next = text[year.endIndex...].dropFirst().first
            let publisher = String(text[..<start]).onOneLine
            guard next == nil || next == ",", !publisher.isEmpty else { continue }
            (self.publisher, rest) = (publisher, " " + text[start...])
            return
        }
        return nil
    }
}
