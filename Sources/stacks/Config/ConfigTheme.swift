internal import TerminalUI

/// The themes that a config file can name.
enum ConfigTheme {
    /// The names of the themes, starting with the default.
    static let names = Theme.all.map(\.name)
}
