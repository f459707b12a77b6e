internal import Books
internal import Catalog
internal import Graphemes
internal import Library

/// Shows what is proposed for each field, and asks the reader, line by line.
struct MappingDialogue {
    private let proposal: MappingSuggestion
    private let asks: Bool
    /// Gives the reader's next answer; nil at the end of input.
    private let answer: () -> String?
    /// Takes what is said.
    private let output: (String) -> Void

    /// A dialogue over standard input and output.
    init(_ proposal: MappingSuggestion, asks: Bool) {
        self.init(proposal, asks: asks, answer: { readLine() }, output: { _ = PlainList.write($0) })
    }

    /// A dialogue in which the answers come from `answer` and all else goes to `output`.
    init(
        _ proposal: MappingSuggestion, asks: Bool, answer: @escaping () -> String?, output: @escaping (String) -> Void
    ) {
        self.proposal = proposal
        self.asks = asks
        self.answer = answer
        self.output = output
    }

    /// Says a line.
    func say(_ line: String) { output(line.harmlessLine) }

    /// Asks, and waits for the answer; nil at the end of input.
    private func ask(_ question: String) -> String? {
        output(question.sanitized)
        guard let answer = answer() else {
            output("\n")
            return nil
        }
        return answer.trimmed
    }

    // MARK: Fields

    /// The rules that the reader wants; nil where they leave without any.
    func rules() -> [BookField: FieldMapping.Rule]? {
        var rules: [BookField: FieldMapping.Rule] = [:]
        if asks {
            say(
                "Enter takes what is proposed. Another path is looked at, - leaves the field out, ? lists the paths, q quits."
            )
        }
        say("")
        for field in BookField.allCases {
            guard asks else {
                if let rule = proposal.rules[field] { show(rule, for: field) }
                continue
            }
            guard let choice = choice(for: field) else { return nil }
            rules[field] = choice.rule
        }
        return asks ? rules : proposal.rules
    }

    private struct Choice {
        var rule: FieldMapping.Rule?
    }

    /// What the reader wants for a field; nil where they leave.
    private func choice(for field: BookField) -> Choice? {
        var rule = proposal.rules[field]
        show(rule, for: field)
        while true {
            guard let answer = ask("> ") else { return nil }
            switch answer {
            case "": return Choice(rule: rule)
            case "-": return Choice(rule: nil)
            case "q", "Q": return nil
            case "?": listPaths()
            default:
                do throws(RuleText.Fault) {
                    let typed = try RuleText(answer).rule(for: field)
                    rule = typed
                    show(typed, for: field)
                } catch {
                    say("  \(error.sentence).")
                }
            }
        }
    }

    /// Says where a field is found, in how many of the records, and what some of them have.
    private func show(_ rule: FieldMapping.Rule?, for field: BookField) {
        let label = field.label.padded(to: 16)
        guard let rule else {
            say("\(label) not found")
            return
        }
        let look = proposal.look(at: rule, of: field)
        let share = look.count.percentage(of: look.recordCount)
        say("\(label) \(RuleText(of: rule, for: field).text)  (\(share))")
        if !look.samples.isEmpty {
            say("\(String(repeating: " ", count: 17))\(look.samples.map(Self.short).joined(separator: " · "))")
        }
    }

    /// A value in quotes, no longer than is needed to know it.
    private static func short(_ sample: String) -> String {
        let text = sample.sanitized
        return "\"\(text.count > 32 ? text.prefix(31) + "…" : text)\""
    }

    private func listPaths() {
        for (path, share, sample) in proposal.allPaths {
            let percentage = share >= 1 ? "100 %" : share < 0.01 ? "<1 %" : "\(Int(share * 100)) %"
            let text = sample.sanitized
            say("  \(percentage.padded(toRight: 5))  \(path)  \(text.count > 40 ? text.prefix(39) + "…" : text)")
        }
    }

    // MARK: The file

    /// The name that the reader wants for the profile; nil at the end of input, or where they leave.
    func name(proposed: String, isRight: (String) -> Bool) -> String? {
        guard asks else { return proposed }
        while true {
            guard let answer = ask("Name of the profile [\(proposed)]: "), answer != "q" else { return nil }
            if answer.isEmpty { return proposed }
            if isRight(answer) { return answer }
            say("  \"\(answer)\" cannot be a name: letters, digits, - and _ were expected.")
        }
    }

    /// Whether the reader wants a file replaced; nil at the end of input, or where they leave.
    func mayReplace(_ file: String) -> Bool? {
        guard let answer = ask("There is a \(file) already. Replace it? [y/N] "), answer != "q" else { return nil }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
