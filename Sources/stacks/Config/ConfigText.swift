internal import Text

/// The valid TOML in the text of a config file.
struct ConfigText {
    /// The entries in the order of their lines.
    private(set) var entries: [ConfigEntry] = []
    /// The warnings about invalid parts, which are left out.
    private(set) var warnings: [ConfigWarning] = []

    /// The maximum number of errors; a file with more is probably not TOML at all.
    private static let maximumErrorCount = 20

    /// Parses `text`, which must not contain NUL.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        do throws(TOMLDocument.SyntaxError) {
            entries = try TOMLDocument(bytes).entries
        } catch {
            readWithoutErrors(bytes, error)
        }
    }

    /// Leaves out one invalid statement after another until the parser accepts the rest.
    private mutating func readWithoutErrors(_ bytes: [UInt8], _ first: TOMLDocument.SyntaxError) {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var statements = ConfigStatement.all(in: lines)
        var syntaxError = first
        for _ in 0...Self.maximumErrorCount {
            guard leaveOut(syntaxError, from: &lines, &statements) else { break }
            do throws(TOMLDocument.SyntaxError) {
                entries = try TOMLDocument(Array(lines.joined(separator: [UInt8(ascii: "\n")]))).entries
                return
            } catch {
                syntaxError = error
            }
        }
        warnings.append(ConfigWarning(sentence: ConfigMessage.notTOML.text()))
    }

    /// Empties the lines of the invalid statement.
    ///
    /// - Returns: Whether the statement was found.
    private mutating func leaveOut(
        _ syntaxError: TOMLDocument.SyntaxError, from lines: inout [ArraySlice<UInt8>],
        _ statements: inout [ConfigStatement]
    ) -> Bool {
        let line = min(syntaxError.line, lines.count)
        guard var index = statements.lastIndex(where: { $0.lines.lowerBound <= line }) else { return false }
        // For an unclosed statement the parser stops at the next one.
        if index > 0, statements[index].lines.lowerBound == line, !statements[index - 1].isClosed { index -= 1 }
        let statement = statements[index]
        var end = index + 1
        if statement.isHeader {
            end = statements[end...].firstIndex(where: \.isHeader) ?? statements.count
        }
        let extent = statement.lines.lowerBound...statements[end - 1].lines.upperBound
        func sentence(_ cause: String) -> String {
            if statement.isHeader { return ConfigMessage.tableIgnored.text(cause) }
            if extent.count == 1 { return ConfigMessage.lineIgnored.text(cause) }
            return ConfigMessage.linesIgnored.text(cause, String(extent.lowerBound), String(extent.upperBound))
        }
        // Report a missing bracket where it was opened, not where the parser stopped.
        if !statement.isClosed, line != extent.lowerBound {
            let cause = ConfigMessage.unclosed.text()
            warnings.append(ConfigWarning(line: extent.lowerBound, sentence: sentence(cause)))
        } else {
            let isWord = Self.isWord(syntaxError, in: lines[line - 1])
            let cause = isWord ? ConfigMessage.unquoted.text() : Self.cause(syntaxError)
            // The column may be within the word: for "terminal", the parser expects "true".
            let column = isWord ? nil : syntaxError.column
            warnings.append(ConfigWarning(line: line, column: column, sentence: sentence(cause)))
        }
        for number in extent { lines[number - 1] = [] }
        statements.removeSubrange(index..<end)
        return true
    }

    /// Returns whether the parser stopped at a word, which is probably a string without quotes.
    private static func isWord(_ syntaxError: TOMLDocument.SyntaxError, in line: ArraySlice<UInt8>) -> Bool {
        if syntaxError.description.hasSuffix("could not determine value type") {
            let next = String(decoding: line, as: UTF8.self).unicodeScalars.dropFirst(syntaxError.column - 1).first
            return next.map { !"[]{},=".unicodeScalars.contains($0) } ?? false
        }
        // The first letter of a word can look like the start of true, false, inf or nan.
        return ["boolean:", "floating-point: expected"].contains { syntaxError.description.hasPrefix(opening + $0) }
    }

    /// Returns the parser's description as part of a sentence: "invalid value (expected …)".
    private static func cause(_ syntaxError: TOMLDocument.SyntaxError) -> String {
        let words = syntaxError.description
        guard words.hasPrefix(opening), let colon = words.firstRange(of: ": ") else {
            return ConfigMessage.invalidTOML.text(words)
        }
        return ConfigMessage.invalidValue.text(
            String(words.dropFirst(opening.count)[..<colon.lowerBound]), String(words[colon.upperBound...]))
    }

    /// The prefix of most of the parser's descriptions.
    private static let opening = "Error while parsing "
}
