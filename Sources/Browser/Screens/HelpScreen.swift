internal import TerminalUI

/// All commands and their keys, made from the commands.
enum HelpScreen {
    /// The text of the screen: of all commands, or of those in whose keys, title, help or group all words of `text` are.
    static func paragraphs(of bindings: KeyBindings, matching text: String = "") -> [TextView.Paragraph] {
        let words = text.lowercased().split(separator: " ")
        var paragraphs: [TextView.Paragraph] = []
        for group in Command.Group.allCases {
            let commands = Command.allCases.filter { command in
                guard command.group == group else { return false }
                let declaration = command.declaration
                let keys = bindings.labels(of: command)
                let all = [declaration.title, declaration.help, group.rawValue].joined(separator: "\n").lowercased()
                return words.allSatisfy { word in
                    all.contains(word) || keys.contains { $0.lowercased() == word }
                }
            }
            if commands.isEmpty { continue }
            if !paragraphs.isEmpty { paragraphs.append(.init("")) }
            paragraphs.append(.init(group.rawValue, style: .strong))
            paragraphs += commands.map { command in
                let keys = bindings.labels(of: command).joined(separator: " ")
                return .init(command.declaration.help, label: keys.isEmpty ? "no key" : keys)
            }
        }
        return paragraphs.isEmpty ? [.init("No command has this in its name or help.", style: .secondary)] : paragraphs
    }
}
