import Foundation

/// A terminal emulator that knows what ncurses and stacks send, and pictures: half blocks, kitty's graphics protocol and
/// sixels, with cells of 10 × 20 pixels.
struct EmulatedScreen {
    /// A part of a picture that lies over a cell.
    struct Part: Hashable {
        var serial: Int
        var row: Int
        var column: Int
    }

    struct Cell: Hashable {
        var text = " "
        var foreground: Int?
        var background: Int?
        /// The sixels over the cell.
        var sixels: Part?
    }

    /// A picture that is placed over the cells.
    private struct Placement {
        var row: Int
        var column: Int
        var rows: Int
        var columns: Int
    }

    private(set) var rows: Int
    private(set) var columns: Int
    private(set) var cells: [[Cell]]
    private var row = 0
    private var column = 0
    private var isWrapping = false
    private var pen = Cell()
    private var saved: (row: Int, column: Int, pen: Cell)?
    /// The pictures of kitty's protocol by id.
    private(set) var pictures: [Int: [UInt8]] = [:]
    /// The ids of the pictures that have placeholders.
    private(set) var virtual: Set<Int> = []
    private var placements: [[Int]: Placement] = [:]
    private var transmission: (id: Int, text: String)?
    private var pending: [UInt8] = []
    /// Whatever the emulator does not know.
    private(set) var defects: [String] = []
    /// The texts for the clipboard.
    private(set) var copies: [String] = []
    /// The number of questions for pictures.
    private(set) var questionCount = 0
    private var hasPictures = false
    /// The rows that scroll.
    private var region: Range<Int>

    init(rows: Int, columns: Int) {
        (self.rows, self.columns, region) = (rows, columns, 0..<rows)
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    mutating func resize(rows: Int, columns: Int) {
        if (rows, columns) == (self.rows, self.columns) { return }
        // What is left after a resize is unknown.
        let rest = Array(repeating: Array(repeating: Cell(text: "?"), count: columns), count: rows)
        (self.rows, self.columns, cells) = (rows, columns, rest)
        (row, column, isWrapping, region) = (0, 0, false, 0..<rows)
    }

    /// Moves the lines of a range up, or down if negative, with the pictures over them.
    private mutating func scroll(_ range: Range<Int>, by count: Int) {
        let blank = Array(repeating: Cell(background: pen.background), count: columns)
        let before = cells
        for row in range { cells[row] = range.contains(row + count) ? before[row + count] : blank }
        for (key, place) in placements where range.contains(place.row) {
            placements[key]?.row = place.row - count
        }
    }

    /// Returns the part of a picture that lies over a cell; nil if there is none, and a part of the picture 0 if there are
    /// several.
    func part(over row: Int, _ column: Int) -> Part? {
        var parts = cells[row][column].sixels.map { [$0] } ?? []
        for (key, place) in placements
        where (place.row..<place.row + place.rows).contains(row)
            && (place.column..<place.column + place.columns).contains(column)
        {
            parts.append(Part(serial: serial(of: key[0]), row: row - place.row, column: column - place.column))
        }
        return parts.count > 1 ? Part(serial: 0, row: 0, column: 0) : parts.first
    }

    /// Returns the number in the file of a picture.
    func serial(of id: Int) -> Int {
        pictures[id].flatMap { Int(String(decoding: $0, as: UTF8.self).dropFirst("picture ".count)) } ?? -1
    }

    /// Takes output up to the end of the next text for the clipboard, and returns the rest.
    mutating func feed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var index = bytes.startIndex
        let copyCount = copies.count
        while index < bytes.endIndex, copies.count == copyCount {
            guard let length = token(bytes[index...]) else { break }
            index += length
        }
        return bytes[index...]
    }

    /// Takes one character or sequence, and returns its length; nil if it is incomplete.
    private mutating func token(_ bytes: ArraySlice<UInt8>) -> Int? {
        let start = bytes.startIndex
        guard let first = bytes.first else { return nil }
        if first == 0x1B {
            guard bytes.count > 1 else { return nil }
            switch bytes[start + 1] {
            case UInt8(ascii: "["):
                guard let end = bytes[(start + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
                    return nil
                }
                control(
                    String(decoding: bytes[(start + 2)..<end], as: UTF8.self), Character(Unicode.Scalar(bytes[end])))
                return end - start + 1
            case UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "]"):
                guard let end = endOfString(bytes) else { return nil }
                string(bytes[(start + 1)..<end.text])
                return end.next - start
            case UInt8(ascii: "("), UInt8(ascii: ")"): return bytes.count > 2 ? 3 : nil
            case UInt8(ascii: "7"): saved = (row, column, pen)
            case UInt8(ascii: "8"):
                if let saved { (row, column, pen) = saved }
                isWrapping = false
            case UInt8(ascii: "M"):
                if row == region.lowerBound { scroll(region, by: -1) } else { row = max(0, row - 1) }
                isWrapping = false
            case UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "\\"): break
            default: defects.append("an escape before \(bytes[start + 1])")
            }
            return 2
        }
        if first < 0x20 {
            switch first {
            case 0x08: column = max(0, column - 1)
            case 0x0A:
                if row == region.upperBound - 1 { scroll(region, by: 1) } else { row = min(rows - 1, row + 1) }
            case 0x0D: column = 0
            case 0x0E, 0x0F: break
            default: defects.append("the control \(first)")
            }
            isWrapping = false
            return 1
        }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard bytes.count >= length else { return nil }
        put(String(decoding: bytes[start..<start + length], as: UTF8.self))
        return length
    }

    private func endOfString(_ bytes: ArraySlice<UInt8>) -> (text: Int, next: Int)? {
        let isTmux = bytes.dropFirst().starts(with: "Ptmux;".utf8)
        var index = bytes.startIndex + 2
        while index < bytes.endIndex {
            if bytes[index] == 0x07 { return (index, index + 1) }
            if bytes[index] == 0x1B {
                guard index + 1 < bytes.endIndex else { return nil }
                if bytes[index + 1] == UInt8(ascii: "\\") { return (index, index + 2) }
                // In tmux each Escape is doubled.
                if isTmux, bytes[index + 1] == 0x1B { index += 1 }
            }
            index += 1
        }
        return nil
    }

    private mutating func put(_ text: String) {
        guard let scalar = text.unicodeScalars.first else { return }
        if scalar.properties.canonicalCombiningClass != .notReordered {
            // A mark belongs to the character before.
            let last = isWrapping ? columns - 1 : column - 1
            if last >= 0 { cells[row][last].text.unicodeScalars.append(scalar) }
            return
        }
        let width = (0x3000...0xA000).contains(scalar.value) ? 2 : 1
        if isWrapping || column + width > columns {
            defects.append("a wrapped line")
            return
        }
        pen.text = text
        cells[row][column] = pen
        if width == 2 {
            cells[row][column + 1] = pen
            cells[row][column + 1].text = ""
        }
        column += width
        if column == columns { (column, isWrapping) = (columns - 1, true) }
    }

    private mutating func erase(_ row: Int, _ range: Range<Int>) {
        for column in range where column < columns {
            cells[row][column] = Cell(background: pen.background)
        }
    }

    private mutating func control(_ text: String, _ final: Character) {
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(1, numbers.first ?? 1)
        let last = text.first == "?" ? "?" : ""
        switch last + String(final) {
        case "m": attributes(numbers)
        case "H":
            row = min(rows, first) - 1
            column = min(columns, numbers.count > 1 ? max(1, numbers[1]) : 1) - 1
        case "A": row = max(0, row - first)
        case "B": row = min(rows - 1, row + first)
        case "C": column = min(columns - 1, column + first)
        case "D": column = max(0, column - first)
        case "G": column = min(columns, first) - 1
        case "d": row = min(rows, first) - 1
        case "X": erase(row, column..<min(columns, column + first))
        case "K": erase(row, numbers.first == 1 ? 0..<column + 1 : column..<columns)
        case "J":
            if numbers.first == 2 {
                for row in 0..<rows { erase(row, 0..<columns) }
                placements = [:]
            } else {
                erase(row, column..<columns)
                for below in row + 1..<max(row + 1, rows) { erase(below, 0..<columns) }
            }
        case "b":
            let text = pen.text
            for _ in 0..<first { put(text) }
            return
        case "P", "@":
            if hasPictures { defects.append("cells are moved") }
            if final == "P" {
                cells[row].removeSubrange(column..<min(columns, column + first))
            } else {
                cells[row].insert(contentsOf: Array(repeating: Cell(), count: first), at: column)
            }
            cells[row] = Array((cells[row] + Array(repeating: Cell(), count: columns)).prefix(columns))
        case "L": if region.contains(row) { scroll(row..<region.upperBound, by: -first) }
        case "M": if region.contains(row) { scroll(row..<region.upperBound, by: first) }
        case "S": scroll(region, by: first)
        case "T": scroll(region, by: -first)
        case "r":
            let bottom = numbers.count > 1 && numbers[1] > 0 ? min(rows, numbers[1]) : rows
            if first <= bottom { region = first - 1..<bottom }
            (row, column) = (0, 0)
        case "?h", "?l", "l", "h", "t": if text == "16" || text == "14" { questionCount += 1 }
        case "q": if text != ">0" { defects.append("CSI \(text) q") }
        case "c": questionCount += 1
        default: defects.append("CSI \(text) \(final)")
        }
        isWrapping = false
    }

    private mutating func attributes(_ numbers: [Int]) {
        var index = 0
        while index < numbers.count {
            switch numbers[index] {
            case 0: (pen.foreground, pen.background) = (nil, nil)
            case 39: pen.foreground = nil
            case 49: pen.background = nil
            case 38, 48:
                let colour: Int
                if numbers.count > index + 2, numbers[index + 1] == 5 {
                    colour = numbers[index + 2]
                    if numbers[index] == 38 { pen.foreground = colour } else { pen.background = colour }
                    index += 2
                } else if numbers.count > index + 4, numbers[index + 1] == 2 {
                    colour = numbers[index + 2] << 16 | numbers[index + 3] << 8 | numbers[index + 4]
                    if numbers[index] == 38 { pen.foreground = colour } else { pen.background = colour }
                    index += 4
                } else {
                    defects.append("the colour \(numbers)")
                }
            case 30...37: pen.foreground = numbers[index] - 30
            case 40...47: pen.background = numbers[index] - 40
            case 1...29: break
            case 90...97, 100...107: break
            default: defects.append("the attribute \(numbers[index])")
            }
            index += 1
        }
    }

    private mutating func string(_ bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("]52;c;") {
            copies.append(String(decoding: Data(base64Encoded: String(text.dropFirst(6))) ?? Data(), as: UTF8.self))
        } else if text.hasPrefix("Ptmux;") {
            let inner = text.dropFirst(6).replacing("\u{1B}\u{1B}", with: "\u{1B}")
            guard inner.hasPrefix("\u{1B}"), !inner.hasPrefix("\u{1B}]52"), let end = inner.lastIndex(of: "\u{1B}")
            else { return }
            string(Array(inner[..<end].utf8.dropFirst())[...])
        } else if text.hasPrefix("_G") {
            graphics(text.dropFirst(2))
        } else if text.hasPrefix("P0;1q\"1;1;") {
            sixels(text)
        } else if !text.hasPrefix("]11;?") {
            defects.append("the string \(text.prefix(30))")
        }
    }

    private mutating func sixels(_ text: String) {
        hasPictures = true
        let parts = text.dropFirst("P0;1q\"1;1;".count).split { ";#".contains($0) }.compactMap { Int($0) }
        guard parts.count == 3 else { return defects.append("the sixels \(text)") }
        let (width, height) = (parts[0] / 10, parts[1] / 20)
        if row + height >= rows { defects.append("sixels that scroll") }
        for partRow in 0..<height {
            for partColumn in 0..<width where row + partRow < rows && column + partColumn < columns {
                cells[row + partRow][column + partColumn].sixels = Part(
                    serial: parts[2], row: partRow, column: partColumn)
            }
        }
        // The cursor moves, and how depends on the terminal.
        row = min(rows - 1, row + height)
    }

    private mutating func graphics(_ text: Substring) {
        hasPictures = true
        let parts = text.split(separator: ";", maxSplits: 1)
        var keys: [Substring: String] = [:]
        for pair in parts[0].split(separator: ",") {
            let (key, value) = (pair.prefix(1), pair.dropFirst(2))
            keys[key] = String(value)
        }
        func number(_ key: Substring) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
        if keys["a"] == "q" {
            questionCount += 1
            return
        }
        if number("q") != 2 { defects.append("kitty answers \(text.prefix(30))") }
        switch (keys["a"], keys["d"]) {
        case ("t", _), (nil, _):
            let data = parts.count > 1 ? String(parts[1]) : ""
            if data.utf8.count > 4096 { defects.append("a chunk of \(data.utf8.count) bytes") }
            transmission = (transmission?.id ?? number("i"), (transmission?.text ?? "") + data)
            if number("m") == 0, let whole = transmission {
                pictures[whole.id] = Data(base64Encoded: whole.text).map(Array.init)
                if pictures[whole.id] == nil { defects.append("no Base64") }
                transmission = nil
            }
        case ("p", _) where number("U") == 1: virtual.insert(number("i"))
        case ("p", _):
            if number("C") != 1 { defects.append("a placement that moves the cursor") }
            if pictures[number("i")] == nil { defects.append("a placement of an unknown picture") }
            placements[[number("i"), number("p")]] = Placement(
                row: row, column: column, rows: number("r"), columns: number("c"))
        case ("d", "i"): placements[[number("i"), number("p")]] = nil
        case ("d", "I"):
            pictures[number("i")] = nil
            virtual.remove(number("i"))
            for key in placements.keys where key[0] == number("i") { placements[key] = nil }
        default: defects.append("kitty: \(text.prefix(40))")
        }
    }
}
