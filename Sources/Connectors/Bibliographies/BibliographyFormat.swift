/// The formats of bibliographies.
enum BibliographyFormat: String, CaseIterable {
    case bibtex, biblatex, ris, endnote, isi
    case endnoteXML = "endnote-xml"

    /// The program of bibutils that converts the format to MODS; nil for those that are read without one.
    var program: String? {
        switch self {
        case .bibtex, .biblatex, .ris: nil
        case .endnote: "end2xml"
        case .endnoteXML: "endx2xml"
        case .isi: "isi2xml"
        }
    }

    /// The programs of bibutils that are used.
    static var programs: [String] { allCases.compactMap(\.program) }

    /// Returns whether the last bytes of a text show that it is complete, as far as the format marks its end. The
    /// programs of bibutils do not check this.
    func hasEnd(in tail: [UInt8]) -> Bool {
        let text = String(decoding: tail, as: UTF8.self)
        switch self {
        case .endnoteXML: return text.contains("</xml>")
        case .isi:
            let last = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
            return last.map { $0.hasPrefix("ER") || $0.hasPrefix("EF") } ?? false
        case .bibtex, .biblatex, .ris, .endnote: return true
        }
    }

    /// Detects the format from the start of a text in UTF-8; returns nil for other formats.
    static func detect(in prefix: [UInt8]) -> BibliographyFormat? {
        let text = String(decoding: prefix, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
            .map { $0.drop { $0.isWhitespace || $0 == "\u{FEFF}" } }.filter { !$0.isEmpty }
        // Comments may come first; in BibTeX, any text.
        if lines.prefix(20).contains(where: { $0.hasPrefix("TY  -") || $0.hasPrefix("TY - ") }) { return .ris }
        guard let first = lines.first else { return nil }
        if ["%0 ", "%A ", "%T "].contains(where: first.hasPrefix) { return .endnote }
        if first.hasPrefix("FN ") || first.hasPrefix("PT ") && lines.contains(where: { $0 == "ER" }) { return .isi }
        guard lines.contains(where: isEntry) else { return nil }
        let lower = text.lowercased()
        let marks = ["journaltitle", "@online{", "@thesis{", "@report{", "@mvbook{", "@collection{", "langid"]
        // BibTeX has no field of this name.
        let hasDate = lines.contains { line in
            line.lowercased().hasPrefix("date") && line.dropFirst(4).first { $0 != " " && $0 != "\t" } == "="
        }
        return hasDate || marks.contains(where: lower.contains) ? .biblatex : .bibtex
    }

    /// Returns whether a line begins an entry, such as "@book{".
    private static func isEntry(_ line: Substring) -> Bool {
        guard line.first == "@" else { return false }
        let type = line.dropFirst().prefix { $0.isLetter }
        let next = line.dropFirst(1 + type.count).first { !$0.isWhitespace }
        return type.count >= 3 && (next == "{" || next == "(")
    }
}
