/// The themes that a config file can name.
enum ConfigTheme {
    /// Their names; the first is the one of a reader who names none.
    static let names = ["terminal", "light", "dark", "contrast"]
}
