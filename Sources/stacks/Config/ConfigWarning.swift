internal import Storage

/// What is wrong in a config file, of which the rest applies.
struct ConfigWarning: Equatable {
    /// The line, counted from 1; nil for the whole file.
    var line: Int?
    /// The column in it, in characters from 1, where that is known.
    var column: Int?
    /// What is wrong, and what to do, without a full stop.
    var sentence: String

    /// The sentence with the place in the file at `path`.
    func sentence(in path: String) -> String {
        var place = abbreviatedPath(path)
        if let line { place += ", line \(line)" }
        if let column { place += ", column \(column)" }
        return "\(place): \(sentence)"
    }
}
