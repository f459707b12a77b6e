/// The formats of bibliographies that bibutils' programs turn into MODS.
enum BibliographyFormat: String {
    case bibtex, biblatex, ris, endnote, isi
    case endnoteXML = "endnote-xml"

    /// The program.
    var program: String {
        switch self {
        case .bibtex: "bib2xml"
        case .biblatex: "biblatex2xml"
        case .ris: "ris2xml"
        case .endnote: "end2xml"
        case .endnoteXML: "endx2xml"
        case .isi: "isi2xml"
        }
    }

    /// Whether entries are in braces after "@book".
    var isBibTeX: Bool { self == .bibtex || self == .biblatex }

    /// Recognizes a format in the beginning of a text; nil if it is another one.
    static func detect(in prefix: [UInt8]) -> BibliographyFormat? {
        let text = String(decoding: prefix, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
            .map { $0.drop { $0.isWhitespace || $0 == "\u{FEFF}" } }.filter { !$0.isEmpty }
        // Remarks may come first, in BibTeX any text.
        if lines.prefix(20).contains(where: { $0.hasPrefix("TY  -") || $0.hasPrefix("TY - ") }) { return .ris }
        guard let first = lines.first else { return nil }
        if ["%0 ", "%A ", "%T "].contains(where: first.hasPrefix) { return .endnote }
        if first.hasPrefix("FN ") || first.hasPrefix("PT ") && lines.contains(where: { $0 == "ER" }) { return .isi }
        guard lines.contains(where: isEntry) else { return nil }
        let lower = text.lowercased()
        let marks = ["journaltitle", "@online{", "@thesis{", "@report{", "@mvbook{", "@collection{", "langid"]
        return marks.contains(where: lower.contains) ? .biblatex : .bibtex
    }

    /// Whether a line begins an entry, such as "@book{".
    private static func isEntry(_ line: Substring) -> Bool {
        guard line.first == "@" else { return false }
        let type = line.dropFirst().prefix { $0.isLetter }
        let next = line.dropFirst(1 + type.count).first { !$0.isWhitespace }
        return type.count >= 3 && (next == "{" || next == "(")
    }
}

/// Prepares BibTeX for bibutils, which overlooks fields after a comma without white space, and counts the entries.
struct BibTeXSpacing {
    /// The number of entries so far.
    private(set) var entryCount = 0
    private var depth = 0
    private var isQuoted = false
    private var isLineStart = true
    private var isType = false
    private var type: [UInt8] = []
    private var previous: UInt8 = 0

    /// Returns a part of the text with a blank after each comma between fields.
    mutating func spaced(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 16)
        for byte in bytes {
            text.append(byte)
            // An entry whose braces do not match ends where the next one begins.
            if byte == UInt8(ascii: "@"), isLineStart || depth == 0 {
                isType = true
                type = []
                depth = 0
                isQuoted = false
            } else if isType {
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
                    isType = false
                    depth = 1
                    let name = String(decoding: type, as: UTF8.self).lowercased()
                    if !["comment", "string", "preamble"].contains(name) { entryCount += 1 }
                } else if byte > 0x20 {
                    type.append(byte)
                    if type.count > 32 { isType = false }
                }
            } else if depth > 0, previous != UInt8(ascii: "\\") {
                switch byte {
                case UInt8(ascii: "\"") where depth == 1: isQuoted.toggle()
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: ",") where depth == 1 && !isQuoted: text.append(UInt8(ascii: " "))
                default: break
                }
            }
            if byte == 0x0A || byte == 0x0D { isLineStart = true } else if byte > 0x20 { isLineStart = false }
            previous = previous == UInt8(ascii: "\\") ? 0 : byte
        }
        return text
    }
}

/// Counts the entries of formats that begin each with a line.
struct EntryLines {
    /// The number of entries so far.
    private(set) var count = 0
    private let mark: [UInt8]
    private var line: [UInt8] = []

    /// Counts the lines that begin with `mark`.
    init(mark: String) { self.mark = Array(mark.utf8) }

    /// Counts the lines that begin in `bytes`.
    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                line.removeAll(keepingCapacity: true)
            } else if line.count < mark.count {
                line.append(byte)
                if line == mark { count += 1 }
            }
        }
    }
}
