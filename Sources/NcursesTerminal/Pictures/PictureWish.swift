public import TerminalUI

/// Whether a terminal is to show pictures, and what is known about it.
public enum PictureWish: Hashable, Sendable {
    /// No pictures, and no questions to the terminal.
    case none
    /// Pictures in the best form of the terminal, which is asked for its abilities unless they are known.
    case wanted(known: ProbeResult?)
}

/// What a terminal said about its abilities to show pictures.
public struct ProbeResult: Hashable, Sendable {
    /// The name of the terminal, such as "kitty"; "" if it did not say it.
    public let name: String
    /// The version of the terminal, such as "0.35.2"; "" if it did not say it.
    public let version: String
    /// The best form of pictures.
    public let form: PictureSupport.Form
    /// The size of a cell in pixels, if the terminal said it.
    public let cellPixels: CellPixels?

    /// Creates a result; characters that do not belong into a name or version are dropped.
    public init(name: String, version: String, form: PictureSupport.Form, cellPixels: CellPixels? = nil) {
        self.name = Self.word(name)
        self.version = Self.word(version)
        self.form = form
        self.cellPixels = cellPixels
    }

    /// Whether the terminal answered at all, as far as that can be told.
    public var saysAnything: Bool { !name.isEmpty || form != .cells }

    private static func word(_ text: String) -> String {
        String(
            text.unicodeScalars.filter {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789.+-_".unicodeScalars.contains($0))
            }.prefix(40).map(Character.init))
    }

    /// Creates the result that has this `text`.
    public init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 4, let form = PictureSupport.Form(rawValue: String(words[2])) else { return nil }
        func word(_ index: Int) -> String { words[index] == "?" ? "" : String(words[index]) }
        let lengths = words[3].split(separator: "x").compactMap { Int($0) }
        let cell = lengths.count == 2 ? CellPixels(width: lengths[0], height: lengths[1]) : nil
        self.init(name: word(0), version: word(1), form: form, cellPixels: cell)
    }

    /// The result as a text without line breaks: "kitty 0.35.2 placeholders 10x20", with "?" for what is unknown.
    public var text: String {
        let cell = cellPixels.map { "\($0.width)x\($0.height)" } ?? "?"
        return [name.isEmpty ? "?" : name, version.isEmpty ? "?" : version, form.rawValue, cell].joined(separator: " ")
    }
}
