/// Names of persons and bodies, without what cataloguing rules add to them.
extension MARCRecord {
    /// Returns the name of a person or a body with numeration and titles, such as "Elizabeth II, Queen", without the dates
    /// of a life and the full stop at the end of the field.
    func name(of field: Field) -> String {
        let isPerson = field.tag % 100 == 0
        let lastCode = UInt8(ascii: isPerson ? "c" : "b")
        var name = ""
        for subfield in subfields[field.subfields] where (UInt8(ascii: "a")...lastCode).contains(subfield.code) {
            if !name.isEmpty { name += name.hasSuffix(",") || name.hasSuffix(".") ? " " : ", " }
            name += string(subfield.text)
        }
        name = plain(name).withoutFullStopOfField
        if isPerson, let comma = name.lastIndex(of: ","), name[comma...].isLife {
            name = String(name[..<comma]).trimmed.withoutFullStopOfField
        }
        return name
    }
}

extension String {
    /// The text without the note that the Library of Congress added to headings of its card catalog.
    var withoutOldCatalog: String {
        // Most texts end otherwise.
        guard let last = utf8.last, last == UInt8(ascii: "]") || last == UInt8(ascii: ".") else { return self }
        let note = "[from old catalog]"
        let text = last == UInt8(ascii: ".") ? dropLast() : self[...]
        return text.hasSuffix(note) ? String(text.dropLast(note.count)).trimmed : self
    }

    /// The name without its closing full stop, unless that belongs to an initial or an abbreviation.
    fileprivate var withoutFullStopOfField: String {
        guard hasSuffix(".") else { return self }
        let word = dropLast().reversed().prefix { $0.isLetter }
        let isInitial = word.count == 1
        if isInitial || Self.abbreviations.contains(String(word.reversed()).lowercased()) { return self }
        return String(dropLast())
    }

    /// The abbreviations that end names.
    private static let abbreviations: Set = [
        "jr", "sr", "jun", "sen", "esq", "dr", "mr", "mrs", "st", "rev", "hon", "prof", "gen", "col", "capt", "lt",
        "sgt",
        "inc", "ltd", "co", "corp", "cie", "bros", "dept", "assn", "soc", "etc",
    ]
}

extension Substring {
    /// Whether the text says when someone lived: ", 1775-1817", ", b. 1920", ", active 16th century".
    fileprivate var isLife: Bool {
        var hasDate = false
        var rest = self
        while let first = rest.first {
            guard first.isLetter || first.isNumber else {
                rest = rest.dropFirst()
                continue
            }
            let word = rest.prefix { $0.isLetter || $0.isNumber }
            rest = rest.dropFirst(word.count)
            let digits = word.prefix { $0.isASCII && $0.isNumber }.count
            let letters = word.dropFirst(digits).lowercased()
            if digits >= 3 || letters == "century" || letters == "cent" { hasDate = true }
            if !letters.isEmpty, !Self.wordsOfLives.contains(letters) { return false }
        }
        return hasDate
    }

    private static let wordsOfLives: Set = [
        "b", "d", "ca", "c", "fl", "born", "died", "active", "approximately", "or", "and", "to", "between", "before",
        "after", "century", "cent", "st", "nd", "rd", "th", "bc", "ad", "jh", "geb", "gest",
    ]
}
