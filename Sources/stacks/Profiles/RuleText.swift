internal import Books
internal import JSON
internal import Text

/// A mapping rule as the wizard shows it and the user types it: paths joined with " | ", each with options: `by split "
/// & "`, `stars scale 10`, `shelf values {"done": "read"}`.
struct RuleText: Equatable {
    /// The text of the rule.
    var text: String

    /// The reason why a text is not a rule.
    struct SyntaxError: Error, Equatable {
        /// The error message with the expected input.
        var sentence: String
    }

    /// Formats a rule.
    init(of rule: FieldMapping.Rule, for field: BookField) {
        text = rule.candidates.map { candidate in
            var text = candidate.path.description
            if let split = candidate.split { text += " split \(JSONValue.string(split).json)" }
            if let scale = candidate.scale {
                text += " scale \(scale == scale.rounded() ? "\(Int(scale))" : "\(scale)")"
            }
            if !candidate.values.isEmpty {
                let values = candidate.values.sorted { $0.key < $1.key }
                let object = JSONValue.object(values.map { .init(key: $0.key, value: .string($0.value)) })
                text += " values \(object.json)"
            }
            if let tag = candidate.tag {
                text += " \(field == .contributors ? "role" : "scheme") \(JSONValue.string(tag).json)"
            }
            return text
        }.joined(separator: " | ")
    }

    /// Creates a rule text as typed by the user.
    init(_ text: String) { self.text = text }

    /// Parses the rule.
    func rule(for field: BookField) throws(SyntaxError) -> FieldMapping.Rule {
        var candidates: [FieldMapping.Candidate] = []
        for part in Self.parts(of: text) { candidates.append(try Self.candidate(part, for: field)) }
        return FieldMapping.Rule(candidates)
    }

    /// Splits the text at each " | " outside of quotes.
    private static func parts(of text: String) -> [String] {
        var parts: [String] = [""]
        var quote: Character?
        var previous: Character?
        let characters = Array(text)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if let open = quote {
                if character == open, previous != "\\" { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == " ", index + 2 < characters.count, characters[index + 1] == "|",
                characters[index + 2] == " "
            {
                parts.append("")
                index += 3
                previous = " "
                continue
            }
            parts[parts.count - 1].append(character)
            previous = character
            index += 1
        }
        return parts
    }

    private static func candidate(_ text: String, for field: BookField) throws(SyntaxError) -> FieldMapping.Candidate {
        var rest = Substring(text)
        var options: [(name: String, value: JSONValue)] = []
        // Parse options from the end; the rest is the path.
        while let (start, name, value) = lastOption(of: rest) {
            options.append((name, value))
            rest = rest[..<start]
        }
        let written = String(rest).trimmed
        var candidate: FieldMapping.Candidate
        do throws(FieldPathSyntaxError) {
            candidate = FieldMapping.Candidate(try FieldPath(written))
        } catch {
            throw SyntaxError(
                sentence:
                    WizardMessage.malformedPath.text(written, error.expected.rawValue, String(error.offset + 1)))
        }
        for (name, value) in options {
            switch (name, value) {
            case ("split", .string(let split)) where !split.isEmpty: candidate.split = split
            case ("scale", .number(let number)) where field == .rating:
                guard let scale = Double(number), scale.isFinite, scale >= 1e-3, scale <= 1e9 else {
                    throw SyntaxError(sentence: WizardMessage.scale.text())
                }
                candidate.scale = scale
            case ("values", .object(let members)):
                for member in members {
                    guard let meaning = member.value.string, !meaning.isEmpty else {
                        throw SyntaxError(sentence: WizardMessage.values.text("{\"done\": \"read\"}"))
                    }
                    candidate.values[member.key] = meaning
                }
            case ("role", .string(let tag)) where field == .contributors && !tag.isEmpty,
                ("scheme", .string(let tag)) where field == .identifiers && !tag.isEmpty:
                candidate.tag = tag
            default: throw SyntaxError(sentence: WizardMessage.optionDoesNotApply.text(name))
            }
        }
        return candidate
    }

    private static let optionNames = ["split", "scale", "values", "role", "scheme"]

    /// Returns the last option of `text`: its start, its name and its value.
    private static func lastOption(of text: Substring) -> (start: Substring.Index, name: String, value: JSONValue)? {
        var found: (start: Substring.Index, name: String, value: JSONValue)?
        for name in optionNames {
            let word = " \(name) "
            // A value may contain the word too; the option starts at the first occurrence that is followed by exactly
            // one value.
            for range in text.ranges(of: word) {
                guard let value = JSONValue(parsing: text[range.upperBound...].utf8) else { continue }
                if found == nil || range.lowerBound < (found?.start ?? text.endIndex) {
                    found = (range.lowerBound, name, value)
                }
                break
            }
        }
        return found
    }
}

extension String {
    /// This text without surrounding white space.
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
