internal import TerminalUI

/// Writes cells of pictures, with a cursor movement before each run and colours where they change.
struct PictureCellWriter {
    private let colours: PictureSupport.Colours
    /// The position after the last cell.
    private var position: Position?
    private var foreground: String?
    private var background: String?

    /// Creates a writer of these colours for a terminal without attributes.
    init(colours: PictureSupport.Colours) { self.colours = colours }

    /// Writes a cell at `row` and `column`.
    mutating func write(
        _ part: PicturePart, asPlaceholder: Bool, row: Int, column: Int, to output: inout [UInt8]
    ) {
        if position != Position(row: row, column: column) { output += "\u{1B}[\(row + 1);\(column + 1)H".utf8 }
        position = Position(row: row, column: column + 1)
        if asPlaceholder {
            set(foreground: Self.direct(3, part.picture.id), background: "49", to: &output)
            // Each cell has its own marks: tmux and others draw cells one by one.
            let marks = KittyDiacritics.all
            for scalar in [KittyGraphics.placeholder, marks[part.row], marks[part.column]] {
                output += String(Character(scalar)).utf8
            }
        } else {
            let cell = part.cell
            // A blank has no foreground, and a full block no background.
            set(
                foreground: cell.symbol == " " ? nil : colour(3, cell.foreground),
                background: cell.symbol == "█" ? nil : colour(4, cell.background), to: &output)
            output += String(Character(cell.symbol)).utf8
        }
    }

    /// Resets the attributes.
    mutating func end(to output: inout [UInt8]) {
        if position != nil { output += "\u{1B}[0m".utf8 }
        (position, foreground, background) = (nil, nil, nil)
    }

    private mutating func set(foreground new: String?, background newBackground: String?, to output: inout [UInt8]) {
        var parameters: [String] = []
        if let new, new != foreground {
            foreground = new
            parameters.append(new)
        }
        if let newBackground, newBackground != background {
            background = newBackground
            parameters.append(newBackground)
        }
        if !parameters.isEmpty { output += "\u{1B}[\(parameters.joined(separator: ";"))m".utf8 }
    }

    /// Returns the parameters of a foreground (3) or background colour (4).
    private func colour(_ ground: Int, _ colour: UInt32) -> String {
        colours == .direct ? Self.direct(ground, colour) : "\(ground)8;5;\(colour & 0xFF)"
    }

    private static func direct(_ ground: Int, _ colour: UInt32) -> String {
        "\(ground)8;2;\(colour >> 16);\(colour >> 8 & 0xFF);\(colour & 0xFF)"
    }
}
