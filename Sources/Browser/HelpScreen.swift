internal import TerminalUI

/// All keys and what they do, made from the commands.
enum HelpScreen {
    /// The text of the screen.
    static var paragraphs: [TextView.Paragraph] {
        Command.allCases.map { command in
            let declaration = command.declaration
            let keys = declaration.keys.map(KeyBindings.label(of:)).joined(separator: " ")
            return TextView.Paragraph(declaration.help, label: keys)
        }
    }
}
