internal import TerminalUI

/// The themes that a config file can name.
enum ConfigTheme {
    /// Their names; the first is the one of a reader who names none.
    static let names = Theme.all.map(\.name)
}
