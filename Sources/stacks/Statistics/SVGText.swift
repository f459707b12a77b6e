internal import Browser
internal import Graphemes
internal import TerminalUI

/// Texts and numbers in an SVG picture.
enum SVGText {
    /// Returns a text element.
    ///
    /// - Parameter isRightAligned: Whether the text ends at `x` instead of beginning there.
    static func words(_ text: String, _ style: String, x: Int, y: Int, isRightAligned: Bool = false) -> String {
        let style = style.isEmpty ? "" : " class=\"\(style)\""
        let anchor = isRightAligned ? " text-anchor=\"end\"" : ""
        return "<text\(style)\(anchor) x=\"\(x)\" y=\"\(y)\">\(escaped(text))</text>"
    }

    /// Returns a number with one decimal place.
    static func shown(_ number: Double) -> String { String((number * 10).rounded() / 10) }

    /// Returns `text` in lines of at most `columns` terminal columns.
    static func lines(_ text: String, _ columns: Int) -> [String] {
        LineWrapper(text, width: columns).map { $0.map(\.text).joined() }
    }

    /// Returns as much of `text` as fits in `columns` terminal columns.
    static func cut(_ text: String, _ columns: Int) -> String {
        var canvas = Canvas(size: Size(rows: 1, columns: columns))
        canvas.write(text, row: 0, column: 0)
        return canvas.text(ofRow: 0)
    }

    /// Returns `text` escaped for XML, without characters that could control a terminal or that XML forbids (XML 1.0,
    /// 2.2).
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.sanitized.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
