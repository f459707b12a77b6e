extension String {
    /// This title on one line without MARC 21 subfield codes, which Project Gutenberg leaves in titles: "Peter Pan : $b
    /// [Peter and Wendy]" becomes "Peter Pan: [Peter and Wendy]". Nearly all titles contain no "$" and are returned
    /// unchanged.
    public var withoutSubfieldCodes: String {
        guard utf8.contains(UInt8(ascii: "$")) else { return self }
        var words: [String] = []
        var isAfterCode = false
        for word in split(separator: " ") {
            // A code may have lost its letter.
            if word.isSubfieldCode || word == "$" && words.last?.isSeparator == true {
                isAfterCode = true
                continue
            }
            // The colon may follow the code.
            if isAfterCode, !words.isEmpty, word != ":" { words.endPart() }
            if !isAfterCode || word != ":" {
                words.append(String(word))
                isAfterCode = false
            }
        }
        if isAfterCode, let last = words.last, last.isSeparator { words.removeLast() }
        return words.joined(separator: " ")
    }

    /// Whether the word is punctuation that ISBD puts between the parts of a title.
    fileprivate var isSeparator: Bool { [":", ";", "=", "/"].contains(self) }
}

extension Substring {
    /// Whether the word is the code of a subfield that titles (field 245) have after the first one: the remainder,
    /// responsibility, medium, number, name or volume.
    fileprivate var isSubfieldCode: Bool {
        ["$b", "$c", "$h", "$n", "$p", "$v"].contains(hasSuffix(":") ? dropLast() : self)
    }
}

extension [String] {
    /// Ends the part of a title before a subfield with a colon, unless other punctuation separates the two.
    fileprivate mutating func endPart() {
        guard let last else { return }
        if last == ":" || last == ";" {
            removeLast()
            if isEmpty { return }
            self[endIndex - 1] += last
        } else if !last.isSeparator, let mark = last.last, !".,:;?!".contains(mark) {
            self[endIndex - 1] += ":"
        }
    }
}
