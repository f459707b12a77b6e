internal import Text

/// A change of a text into another one.
enum TextChange: Sendable {
    /// What matches a regular expression is replaced.
    case substitution(Substitution)
    /// Blanks are removed at the ends of lines, and several in a row become one.
    case trim
    /// The text gets English title case.
    case titleCase

    /// Whether the change only concerns names, not their roles, and numbers, not their schemes.
    var leavesTags: Bool { if case .substitution = self { false } else { true } }

    /// Returns the changed text; nil if a pattern takes too many steps.
    func result(for text: String) -> String? {
        switch self {
        case .substitution(let substitution):
            switch substitution.result(for: text) {
            case .unchanged: text
            case .replaced(let text): text
            case .gaveUp: nil
            }
        case .trim: text.trimmed
        case .titleCase: TitleCase.text(of: text)
        }
    }
}

extension String {
    /// The text without blank lines at the ends and blanks at the ends of lines, with one blank instead of several.
    fileprivate var trimmed: String {
        var result = UnicodeScalarView()
        var blank: Unicode.Scalar?
        var breaks = UnicodeScalarView()
        for scalar in unicodeScalars {
            if Self.lineBreaks.contains(scalar) {
                breaks.append(scalar)
                blank = nil
            } else if scalar.properties.isWhitespace {
                // One that does not break, for example, stays what it is if it is alone.
                blank = blank != nil || scalar == "\t" ? " " : scalar
            } else {
                if !result.isEmpty { result.append(contentsOf: breaks) }
                if let blank, !result.isEmpty, breaks.isEmpty { result.append(blank) }
                result.append(scalar)
                (blank, breaks) = (nil, UnicodeScalarView())
            }
        }
        return String(result)
    }

    private static let lineBreaks: Set<Unicode.Scalar> = [
        "\n", "\u{0B}", "\u{0C}", "\r", "\u{85}", "\u{2028}", "\u{2029}",
    ]
}
