internal import Books
internal import Catalog
internal import Graphemes
internal import Library
internal import Text

/// A line-by-line dialogue that shows the suggestion for each field and asks the user.
struct MappingDialogue {
    private let proposal: MappingSuggestion
    private let asks: Bool
    /// Returns the user's next answer; nil at the end of input.
    private let answer: () -> String?
    /// Prints text.
    private let output: (String) -> Void

    /// Creates a dialogue over standard input and output.
    init(_ proposal: MappingSuggestion, asks: Bool) {
        self.init(proposal, asks: asks, answer: { readLine() }, output: { _ = PlainList.write($0) })
    }

    /// Creates a dialogue with these functions for input and output.
    init(
        _ proposal: MappingSuggestion, asks: Bool, answer: @escaping () -> String?, output: @escaping (String) -> Void
    ) {
        self.proposal = proposal
        self.asks = asks
        self.answer = answer
        self.output = output
    }

    /// Prints a line.
    func say(_ line: String) { output(line.harmlessLine) }

    /// Asks a question and returns the answer; nil at the end of input.
    private func ask(_ question: String) -> String? {
        output(question.sanitized)
        guard let answer = answer() else {
            output("\n")
            return nil
        }
        return answer.trimmed
    }

    // MARK: Fields

    /// Returns the rules that the user has chosen; nil if they quit.
    func rules() -> [BookField: FieldMapping.Rule]? {
        var rules: [BookField: FieldMapping.Rule] = [:]
        if asks {
            say(WizardMessage.keys.text())
        }
        say("")
        for field in BookField.builtIn {
            guard asks else {
                if let rule = proposal.rules[field] { show(rule, for: field) }
                continue
            }
            guard let choice = choice(for: field) else { return nil }
            rules[field] = choice.rule
        }
        return asks ? rules : proposal.rules
    }

    /// Returns the fields that only this catalog has, as the user has chosen, and the paths of values that are not fields;
    /// nil if they quit.
    ///
    /// - Parameter rules: The rules of the fields of every book.
    func ownFields(besides rules: [BookField: FieldMapping.Rule]) -> (own: [OwnField], hidden: [FieldPath])? {
        let found = proposal.ownFields(besides: rules).compactMap(\.info.own)
        if found.isEmpty { return ([], []) }
        say("")
        if asks { say(WizardMessage.keysOfOwn.text(OwnField.Kind.allCases.map(\.rawValue).joined(separator: ", "))) }
        var (own, hidden): ([OwnField], [FieldPath]) = ([], [])
        for field in found {
            guard asks else {
                show(field)
                if !field.isInternal { own.append(field) }
                continue
            }
            guard let choice = choice(for: field) else { return nil }
            if let chosen = choice.field { own.append(chosen) } else { hidden.append(field.path) }
        }
        return (own, hidden)
    }

    /// Returns the user's choice for a field that only this catalog has; nil if they quit.
    private func choice(for field: OwnField) -> (field: OwnField?, Void)? {
        var field = field
        show(field)
        while true {
            guard let answer = ask("> ") else { return nil }
            switch answer {
            case "": return (field, ())
            case "-": return (nil, ())
            case "q", "Q": return nil
            default:
                guard let kind = OwnField.Kind(rawValue: answer.lowercased()) else {
                    say(WizardMessage.notAKind.text(answer))
                    continue
                }
                field = OwnField(field.name, label: field.label, kind, at: field.path)
                show(field)
            }
        }
    }

    /// Prints the path and kind of a field that only this catalog has, the share of records that have a value, and sample
    /// values.
    private func show(_ field: OwnField) {
        let look = proposal.look(at: field.path, as: field.kind)
        let share = look.count.percentage(of: look.recordCount)
        say("\(field.label.padded(to: 16)) \(field.path) \(field.kind.rawValue)  (\(share))")
        if !look.samples.isEmpty {
            say("\(String(repeating: " ", count: 17))\(look.samples.map(Self.short).joined(separator: " · "))")
        }
    }

    private struct Choice {
        var rule: FieldMapping.Rule?
    }

    /// Returns the user's choice for a field; nil if they quit.
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
                do throws(RuleText.SyntaxError) {
                    let typed = try RuleText(answer).rule(for: field)
                    rule = typed
                    show(typed, for: field)
                } catch {
                    say(WizardMessage.mistake.text(error.sentence))
                }
            }
        }
    }

    /// Prints the rule of a field, the share of records that have a value, and sample values.
    private func show(_ rule: FieldMapping.Rule?, for field: BookField) {
        let label = field.info.label.padded(to: 16)
        guard let rule else {
            say(WizardMessage.fieldNotFound.text(label))
            return
        }
        let look = proposal.look(at: rule, of: field)
        let share = look.count.percentage(of: look.recordCount)
        say("\(label) \(RuleText(of: rule, for: field).text)  (\(share))")
        if !look.samples.isEmpty {
            say("\(String(repeating: " ", count: 17))\(look.samples.map(Self.short).joined(separator: " · "))")
        }
    }

    /// Returns a sample value in quotes, shortened to 32 characters.
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

    /// Returns the user's name for the profile; nil at the end of input or if they quit.
    func name(proposed: String, isRight: (String) -> Bool) -> String? {
        guard asks else { return proposed }
        while true {
            guard let answer = ask(WizardMessage.askName.text(proposed)), answer != "q" else { return nil }
            if answer.isEmpty { return proposed }
            if isRight(answer) { return answer }
            say(WizardMessage.nameInvalid.text(answer))
        }
    }

    /// Returns whether the user allows a file to be replaced; nil at the end of input or if they quit.
    func mayReplace(_ file: String) -> Bool? {
        guard let answer = ask(WizardMessage.askReplace.text(file)), answer != "q" else { return nil }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
