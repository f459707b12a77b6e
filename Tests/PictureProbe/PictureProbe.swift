internal import Glibc
internal import NcursesTerminal
internal import TerminalUI

@testable import Graphemes

/// Shows random screens with pictures, and writes to a file what the terminal has to show after each.
///
/// Arguments: the file, the seed, the number of sequences, and the form of pictures that is known, or "ask". After each
/// screen the terminal gets a text for its clipboard, so that its reader knows where the screen ends.
struct PictureProbe {
    private let terminal: NcursesTerminal
    private let file: UnsafeMutablePointer<FILE>
    private var random: Generator
    private var pool: [(picture: Picture, serial: Int)] = []
    private var count = 0
    private var canvas: Canvas
    /// The numbers of the pictures by id.
    private var serials: [UInt32: Int] = [:]

    static func run() {
        useUTF8Locale()
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let seed = UInt64(arguments[2]), let count = Int(arguments[3]),
            let file = fopen(arguments[1], "w")
        else { exit(64) }
        let form = PictureSupport.Form(rawValue: arguments[4])
        let known = form.map {
            ProbeResult(name: "test", version: "1", form: $0, cellPixels: CellPixels(width: 10, height: 20))
        }
        guard let terminal = try? NcursesTerminal(theme: .dark, pictures: .wanted(known: known))
        else { exit(65) }
        var probe = PictureProbe(terminal: terminal, file: file, seed: seed)
        for _ in 0..<count { probe.showSequence() }
        terminal.close()
        fclose(file)
    }

    private init(terminal: NcursesTerminal, file: UnsafeMutablePointer<FILE>, seed: UInt64) {
        (self.terminal, self.file) = (terminal, file)
        random = Generator(state: seed)
        canvas = Canvas(size: terminal.size)
    }

    /// Shows a few screens, each a change of the one before.
    private mutating func showSequence() {
        canvas = Canvas(size: terminal.size)
        if random.below(4) == 0 { terminal.repaint() }
        for _ in 0..<4 + random.below(5) {
            switch random.below(40) {
            case 0: resize()
            case 1: terminal.withTerminalReleased {}
            case 2: terminal.use(random.below(2) == 0 ? .dark : .light)
            case 3: terminal.repaint()
            case 4...7: canvas = Canvas(size: terminal.size)
            default: break
            }
            if random.below(8) != 0 { for _ in 0...random.below(4) { edit() } }
            show()
            _ = terminal.waitForEvents(milliseconds: 0)
            if canvas.size != terminal.size { canvas = Canvas(size: terminal.size) }
        }
    }

    private mutating func resize() {
        var window = winsize(
            ws_row: UInt16(6 + random.below(8)), ws_col: UInt16(12 + random.below(30)), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(STDOUT_FILENO, UInt(TIOCSWINSZ), &window)
        _ = terminal.copy("resize \(window.ws_row) \(window.ws_col)")
        while terminal.size != Size(rows: Int(window.ws_row), columns: Int(window.ws_col)) {
            _ = terminal.waitForEvents(milliseconds: 1000)
        }
        canvas = Canvas(size: terminal.size)
    }

    private mutating func edit() {
        let (row, column) = (random.below(canvas.size.rows), random.below(canvas.size.columns))
        let rect = Rect(row: row, column: column, height: 1 + random.below(6), width: 1 + random.below(12))
        switch random.below(10) {
        case 0...3:
            let texts = ["a", "some text", "漢字", "the end of a line that is cut", "   ", "\u{A0}\u{A0}x", "é"]
            canvas.write(
                texts[random.below(texts.count)], row: row, column: column,
                style: random.below(2) == 0 ? .plain : .strong)
        case 4: canvas.clear(rect, style: random.below(2) == 0 ? .plain : Style(.plain, on: .popup))
        case 5:
            // A scrolled part of the screen.
            let copy = canvas
            canvas.draw(copy, fromRow: random.below(3), in: rect)
        default:
            let picture = nextPicture()
            let clip = random.below(3) == 0 ? rect : canvas.bounds
            canvas.draw(picture, row: row - random.below(3), column: column - random.below(4), clippedTo: clip)
        }
    }

    private mutating func nextPicture() -> Picture {
        if pool.count > 3, random.below(3) > 0 { return pool[random.below(pool.count)].picture }
        count += 1
        let size = Size(rows: 1 + random.below(5), columns: 1 + random.below(9))
        let symbols: [Unicode.Scalar] = ["▀", "▄", "█", " "]
        let cells = (0..<size.rows * size.columns).map { _ in
            PictureCell(
                symbol: symbols[random.below(4)], foreground: UInt32(16 + random.below(240)),
                background: UInt32(16 + random.below(3)))
        }
        let pixels: PicturePixels =
            terminal.pictures.form == .sixel
            ? .sixel(Array("\u{1B}P0;1q\"1;1;\(size.columns * 10);\(size.rows * 20)#\(count)\u{1B}\\".utf8))
            : .png(Array("picture \(count)".utf8), width: 10, height: 20)
        guard let picture = Picture(size: size, cells: cells, pixels: pixels) else { exit(66) }
        pool.append((picture, count))
        if pool.count > 6 { pool.removeFirst() }
        serials[picture.id] = count
        return picture
    }

    private mutating func show() {
        let form = terminal.pictures.form
        terminal.show(canvas, cursor: Position(row: 0, column: 0), isTyping: false)
        var lines = ["\(canvas.size.rows) \(canvas.size.columns)"]
        for row in 0..<canvas.size.rows {
            lines.append(
                (0..<canvas.size.columns).map { expectation(row, $0, form) }.joined(separator: "\u{1}"))
        }
        fputs(lines.joined(separator: "\n") + "\n", file)
        _ = terminal.copy("shown")
    }

    /// What the terminal has to show in a cell.
    private func expectation(_ row: Int, _ column: Int, _ form: PictureSupport.Form) -> String {
        guard let part = canvas.picture(row: row, column: column) else {
            let cell = canvas[row, column]
            return cell.isContinuation ? "" : "t" + cell.glyph.text
        }
        let place = "\(serials[part.picture.id] ?? 0) \(part.row) \(part.column)"
        switch form {
        case .none: return "t\u{A0}"
        case .placeholders: return "p" + place
        case .cells: return halfBlock(part)
        case .kitty, .sixel:
            let isKind =
                switch part.picture.pixels {
                case .sixel: form == .sixel
                case .png: form == .kitty
                case nil: false
                }
            let (top, left) = (row - part.row, column - part.column)
            let end = top + part.picture.size.rows
            let cells = (top..<end).flatMap { row in
                (left..<left + part.picture.size.columns).map { Position(row: row, column: $0) }
            }
            let isWhole = cells.allSatisfy {
                guard canvas.bounds.contains($0), let other = canvas.picture(row: $0.row, column: $0.column)
                else { return false }
                return other == PicturePart(picture: part.picture, row: $0.row - top, column: $0.column - left)
            }
            return isKind && isWhole && (form == .kitty || end < canvas.size.rows) ? "o" + place : halfBlock(part)
        }
    }

    private func halfBlock(_ part: PicturePart) -> String {
        let cell = part.cell
        return "h\(cell.symbol) \(cell.symbol == " " ? "-" : "\(cell.foreground)") "
            + (cell.symbol == "█" ? "-" : "\(cell.background)")
    }
}

/// Reproducible random numbers.
private struct Generator {
    var state: UInt64

    /// Returns a number below `limit`.
    mutating func below(_ limit: Int) -> Int {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        return Int(value % UInt64(limit))
    }
}
