internal import Graphemes
internal import TerminalUI

/// The pictures on the screen: what each frame writes besides the text of ncurses.
///
/// Under each cell of a picture ncurses has a blank of a kind that text never has. The kind says how the picture is shown
/// there, so that ncurses erases the cell if text takes the place of the picture, or another picture that lies over it.
struct PictureOutput {
    /// How a cell shows a part of a picture; overlays have a number from `firstOverlay` on.
    enum Kind {
        /// The cell shows none.
        static let none: UInt8 = 0
        /// The terminal shows no pictures, and the cell is blank.
        static let blank: UInt8 = 1
        static let halfBlock: UInt8 = 2
        static let placeholder: UInt8 = 3
        static let firstOverlay: UInt8 = 4
        static let limit: UInt8 = 16
    }

    /// A picture that lies over the cells.
    private struct Overlay: Hashable {
        let picture: Picture
        let row: Int
        let column: Int

        var rows: Range<Int> { row..<row + picture.size.rows }
        var columns: Range<Int> { column..<column + picture.size.columns }
        /// Its number in kitty's protocol, distinct for each place of the same picture.
        var placement: Int { row << 12 | column + 1 }
    }

    /// The pictures that the terminal has.
    private(set) var kitty: KittyGraphics
    private var size = Size(rows: 0, columns: 0)
    /// The kinds of all cells, row by row; empty if there are no pictures.
    private var kinds: [UInt8] = []
    private var formerKinds: [UInt8] = []
    /// The overlays with their kinds.
    private var overlays: [Overlay: UInt8] = [:]
    private var formerOverlays: [Overlay: UInt8] = [:]
    private var form = PictureSupport.Form.none
    private var formerForm = PictureSupport.Form.none
    private var colours = PictureSupport.Colours.indexed
    private var output: [UInt8] = []

    /// Creates the state of a screen without pictures.
    init(isInTmux: Bool, capacity: Int = KittyGraphics.capacity) {
        kitty = KittyGraphics(isInTmux: isInTmux, capacity: capacity)
    }

    /// Whether there are pictures on the screen, or there were in the frame before.
    var isActive: Bool { !kinds.isEmpty || !formerKinds.isEmpty }

    /// Notes that the terminal has been left, with all pictures deleted.
    mutating func reset() {
        kitty.forgetAll()
        (kinds, formerKinds, overlays, formerOverlays) = ([], [], [:], [:])
    }

    /// Begins a frame: decides how each picture is shown.
    mutating func begin(_ canvas: Canvas, support: PictureSupport) {
        formerOverlays = overlays
        overlays = [:]
        formerKinds = size == canvas.size ? kinds : []
        size = canvas.size
        (formerForm, form, colours) = (form, support.form, support.colours)
        output = []
        kitty.beginFrame()
        guard canvas.hasPictures else {
            kinds = []
            return
        }
        keepPictures(of: canvas)
        kinds = Array(repeating: Kind.none, count: size.rows * size.columns)
        var kindsOfPictures: [UInt32: UInt8] = [:]
        for row in 0..<size.rows {
            for column in 0..<size.columns where kinds[row * size.columns + column] == Kind.none {
                guard let part = canvas.picture(row: row, column: column) else { continue }
                let overlay = Overlay(picture: part.picture, row: row, column: column)
                if part.row == 0, part.column == 0, isShownOver(overlay, canvas), let kind = freeKind(for: overlay) {
                    overlays[overlay] = kind
                    for row in overlay.rows {
                        for column in overlay.columns { kinds[row * size.columns + column] = kind }
                    }
                    continue
                }
                let kind = kindsOfPictures[part.picture.id] ?? textKind(of: part.picture)
                kindsOfPictures[part.picture.id] = kind
                kinds[row * size.columns + column] = kind
            }
        }
    }

    /// Prevents that one picture of the canvas takes the place of another one in the terminal.
    private mutating func keepPictures(of canvas: Canvas) {
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                if let part = canvas.picture(row: row, column: column) { kitty.keep(part.picture) }
            }
        }
    }

    private mutating func textKind(of picture: Picture) -> UInt8 {
        switch form {
        case .none: Kind.blank
        case .placeholders:
            kitty.store(picture, forPlaceholders: true, to: &output) ? Kind.placeholder : Kind.halfBlock
        case .cells, .kitty, .sixel: Kind.halfBlock
        }
    }

    /// Returns whether a picture can lie over the cells: only if no part of it is covered or clipped.
    private mutating func isShownOver(_ overlay: Overlay, _ canvas: Canvas) -> Bool {
        guard form == .sixel || form == .kitty, overlay.rows.upperBound <= size.rows,
            overlay.columns.upperBound <= size.columns
        else { return false }
        for row in overlay.rows {
            for column in overlay.columns {
                guard let part = canvas.picture(row: row, column: column), part.picture == overlay.picture,
                    part.row == row - overlay.row, part.column == column - overlay.column
                else { return false }
            }
        }
        if form == .kitty { return kitty.store(overlay.picture, forPlaceholders: false, to: &output) }
        guard case .sixel = overlay.picture.pixels else { return false }
        // Terminals scroll after sixels in the last row.
        return overlay.rows.upperBound < size.rows
    }

    /// Returns the kind of an overlay: the one that it had, or one that none of its cells had, so that ncurses erases what
    /// was there. nil if there is none.
    private func freeKind(for overlay: Overlay) -> UInt8? {
        if let kind = formerOverlays[overlay] { return kind }
        if formerKinds.isEmpty { return Kind.firstOverlay }
        var used: Set<UInt8> = []
        for row in overlay.rows {
            for column in overlay.columns { used.insert(formerKinds[row * size.columns + column]) }
        }
        return (Kind.firstOverlay..<Kind.limit).first { !used.contains($0) }
    }

    /// Returns the kinds of the cells of a row; empty if there are no pictures.
    func kinds(ofRow row: Int) -> ArraySlice<UInt8> {
        kinds.isEmpty ? [] : kinds[row * size.columns..<(row + 1) * size.columns]
    }

    /// Returns the columns from the first to the last of a row whose kind has changed.
    func changedColumns(ofRow row: Int) -> Range<Int>? {
        let start = row * size.columns
        func differs(_ column: Int) -> Bool {
            (kinds.isEmpty ? Kind.none : kinds[start + column])
                != (formerKinds.isEmpty ? Kind.none : formerKinds[start + column])
        }
        let columns = 0..<size.columns
        guard let first = columns.first(where: differs), let last = columns.last(where: differs) else { return nil }
        return first..<last + 1
    }

    /// Ends a frame: returns what is to be sent after the text of ncurses, which leaves cursor and attributes as they were.
    ///
    /// - Parameters:
    ///   - changes: The columns of each row in which ncurses may have written.
    ///   - isWhole: Whether ncurses has drawn the whole screen.
    mutating func end(_ canvas: Canvas, changes: [Range<Int>?], isWhole: Bool) -> [UInt8] {
        defer { output = [] }
        for overlay in formerOverlays.keys where formerForm == .kitty && (form != .kitty || overlays[overlay] == nil) {
            kitty.remove(overlay.picture, placement: overlay.placement, to: &output)
        }
        if kinds.isEmpty { return output }
        let changes = changes.indices.map { row in changes[row].map { widened($0, row: row, canvas) } }
        // Save the cursor (DECSC); restoring it restores the attributes, too.
        output += "\u{1B}7".utf8
        var writer = PictureCellWriter(colours: colours)
        for row in changes.indices {
            guard let columns = changes[row] else { continue }
            for column in columns {
                let kind = kinds[row * size.columns + column]
                guard kind == Kind.halfBlock || kind == Kind.placeholder,
                    let part = canvas.picture(row: row, column: column)
                else { continue }
                writer.write(part, asPlaceholder: kind == Kind.placeholder, row: row, column: column, to: &output)
            }
        }
        writer.end(to: &output)
        let order = overlays.keys.sorted { ($0.row, $0.column) < ($1.row, $1.column) }
        for overlay in order where isWhole || formerOverlays[overlay] == nil || isTouched(overlay, changes) {
            output += "\u{1B}[\(overlay.row + 1);\(overlay.column + 1)H".utf8
            if form == .kitty {
                kitty.place(overlay.picture, placement: overlay.placement, to: &output)
            } else if case .sixel(let bytes) = overlay.picture.pixels {
                output += bytes
            }
        }
        output += "\u{1B}8".utf8
        return output
    }

    /// Returns the columns in which ncurses may have written if these have changed: when it erases blanks up to either end
    /// of a row, it writes the cell next to them again.
    private func widened(_ columns: Range<Int>, row: Int, _ canvas: Canvas) -> Range<Int> {
        func isBlank(_ column: Int) -> Bool {
            kinds[row * size.columns + column] == Kind.none && canvas[row, column].glyph == .space
        }
        var (first, end) = (columns.lowerBound, columns.upperBound)
        while first > 0, isBlank(first - 1) { first -= 1 }
        while end < size.columns, isBlank(end) { end += 1 }
        return max(0, first - 1)..<min(size.columns, end + 1)
    }

    /// Returns whether ncurses may have erased a part of an overlay.
    private func isTouched(_ overlay: Overlay, _ changes: [Range<Int>?]) -> Bool {
        form == .sixel && overlay.rows.contains { changes[$0]?.overlaps(overlay.columns) == true }
    }
}
