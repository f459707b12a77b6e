internal import Storage
internal import Text

/// A warning about an error in a config file whose other settings apply.
struct ConfigWarning: Equatable {
    /// The line, counted from 1; nil for the whole file.
    var line: Int?
    /// The column in characters, counted from 1, if known.
    var column: Int?
    /// The error and the next step, without a full stop.
    var sentence: String

    /// Returns the sentence with its position in the file at `path`.
    func sentence(in path: String) -> String {
        let path = abbreviatedPath(path)
        guard let line else { return ConfigMessage.position.text(path, sentence) }
        guard let column else { return ConfigMessage.positionOnLine.text(path, String(line), sentence) }
        return ConfigMessage.positionInLine.text(path, String(line), String(column), sentence)
    }
}
