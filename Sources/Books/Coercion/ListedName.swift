internal import Text

/// A name in a text that may have several, such as the cell of a table.
///
/// The text does not say what separates its names, and what separates them also occurs within one: "Simon and Schuster,
/// Inc.", "Le Guin, Ursula K.". Therefore a text is split only where it cannot be one name:
/// - Line ends, semicolons, vertical bars and "、" separate names.
/// - Else "and", "&" and "/", also in other languages, separate names of two or more words, or of East Asian characters, if
///   none of them is an organization: "Neil Gaiman & Terry Pratchett". "Ernst & Young", "Arkady and Boris Strugatsky" and
///   "Center for Arts and Sciences" stay whole. In "Alpha, Ann and Beta, Bob", the commas belong to the names.
/// - Else commas separate three or more such names, or those with roles: "Ann Alpha, Bob Beta (Illustrator)". Two may be
///   the parts of one name: "García Márquez, Gabriel José". "Tolkien, J. R. R., Lewis, C. S." has two names.
/// - A suffix belongs to the name before it: "Martin Luther King, Jr.".
/// - Dates after a name are left out, and roles are told apart: "Carroll, Lewis, 1832-1898", "Tenniel, John
///   [Illustrator]".
public struct ListedName: Hashable, Sendable {
    /// The name on one line, without dates and role.
    public let name: String
    /// The role in small letters, such as "illustrator"; nil if the text has none.
    public let role: String?

    /// The name, with the role of another person than an author in parentheses.
    public var text: String { isAuthor ? name : "\(name) (\(role ?? ""))" }

    /// Whether the person is an author, as all without a role are.
    public var isAuthor: Bool { role?.hasSuffix("author") ?? true }

    /// Returns the names in `text`. Linear.
    public static func names(in text: String) -> [ListedName] {
        var text = text
        guard text.withUTF8(mayDiffer) || text.isBlank else {
            return [ListedName(name: text.onOneLine, role: nil)]
        }
        let parts = text.split(whereSeparator: \.isNewline).flatMap(\.separated).map { String($0).onOneLine }
            .filter { !$0.isEmpty }
        let names = parts.count == 1 ? names(inLine: parts[0]) : parts
        return names.map { ListedName($0[...]) }.filter { !$0.name.isEmpty }
    }

    /// Returns the texts of the names in `text`, with or without persons who have another role than author. Linear.
    public static func authors(in text: String, leavesOutContributors: Bool) -> [String] {
        names(in: text).filter { $0.isAuthor || !leavesOutContributors }.map(\.text)
    }

    /// Whether the names in a text may differ from the text itself: nearly all texts are one name, and reading it as a
    /// list takes ten times as long.
    public static func mayDiffer(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var commaCount = 0
        var wordStart = 0
        for (index, byte) in text.enumerated() {
            switch byte {
            case 0x20:
                if isConjunction(UnsafeBufferPointer(rebasing: text[wordStart..<index])) { return true }
                wordStart = index + 1
            case UInt8(ascii: ","):
                commaCount += 1
                if commaCount > 1 { return true }
            // Dates follow a comma.
            case 0x30...0x39: if commaCount > 0 { return true }
            // Separators, roles, and the first bytes of "и", "؛", "、" and "；".
            case ..<0x20, UInt8(ascii: "/"), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "("),
                UInt8(ascii: "["),
                0xD0, 0xD8, 0xE3, 0xEF:
                return true
            default: break
            }
        }
        return text.isEmpty
    }

    private static func isConjunction(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        word.count <= 3 && conjunctions.contains(String(decoding: word, as: UTF8.self).lowercased())
    }

    /// The words for "and" that do not join the parts of a family name, as "y" does.
    private static let conjunctions: Set = ["and", "&", "/", "und", "et", "och", "og", "и"]

    /// Returns the names that conjunctions and commas separate, or the whole line.
    private static func names(inLine line: String) -> [String] {
        let words = line.contains("/") ? line.replacing("/", with: " / ") : line
        let groups = words.split(separator: " ").split { conjunctions.contains($0.lowercased()) }
            .map { $0.joined(separator: " ").namesBetweenCommas }
        let parts = groups.flatMap(\.self)
        guard parts.count > 1, parts.allSatisfy(\.isOfPerson) else { return [line] }
        let areWhole = parts.allSatisfy(\.isWholeName)
        if groups.count > 1 {
            if groups.allSatisfy({ $0.count == 2 }) { return groups.map { $0.joined(separator: ", ") } }
            return areWhole ? parts : [line]
        }
        if areWhole, parts.count > 2 || parts.contains(where: { ListedName($0[...]).role != nil }) { return parts }
        let pairs = stride(from: 0, to: parts.count - 1, by: 2).map { (family: parts[$0], given: parts[$0 + 1]) }
        let areInverted = pairs.count > 1 && parts.count.isMultiple(of: 2) && pairs.allSatisfy(\.given.areInitials)
        return areInverted ? pairs.map { "\($0.family), \($0.given)" } : [line]
    }
}

extension ListedName {
    /// Reads a single name with its dates and role.
    fileprivate init(_ text: Substring) {
        var (name, role) = (text, String?.none)
        while true {
            if let (before, content, isSquare) = name.lastBrackets, !before.isEmpty {
                if !content.areDates {
                    guard role == nil, isSquare ? content.isText : content.isRole else { break }
                    role = content.lowercased()
                }
                name = before
            } else if let comma = name.lastIndex(of: ","), name[comma...].dropFirst().areDates {
                name = name[..<comma]
            } else {
                break
            }
        }
        self.init(name: String(name).onOneLine, role: role)
    }
}

extension Substring {
    /// The parts of this line between the signs that never belong to a name. A semicolon may end a character reference,
    /// such as "&amp;".
    fileprivate var separated: [Substring] {
        guard unicodeScalars.contains(where: Self.separators.unicodeScalars.contains) else { return [self] }
        var parts: [Substring] = []
        var start = startIndex
        for index in indices where Self.separators.contains(self[index]) {
            let end = self[start..<index].lastIndex { !$0.isLetter && !$0.isNumber && $0 != "#" }
            if self[index] == ";", let end, self[end] == "&", self.index(after: end) < index { continue }
            parts.append(self[start..<index])
            start = self.index(after: index)
        }
        return parts + [self[start...]]
    }

    private static let separators = ";|、；؛"

    /// The text before brackets at the end, and their content.
    fileprivate var lastBrackets: (before: Substring, content: Substring, isSquare: Bool)? {
        let text = self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]
        guard let last = text.last, last == ")" || last == "]",
            let bracket = text.lastIndex(of: last == ")" ? "(" : "[")
        else { return nil }
        return (text[..<bracket], text[bracket...].dropFirst().dropLast(), last == "]")
    }

    /// Whether this is a year or the years of a life: "1832-1898", "427? BCE-347? BCE", "active 1590".
    fileprivate var areDates: Bool {
        let words = split { !$0.isLetter }.map { $0.lowercased() }
        return count(where: \.isNumber) > 2 && words.allSatisfy(Self.wordsOfDates.contains)
            && allSatisfy { $0.isLetter || $0.isNumber || " ?-–./".contains($0) }
    }

    private static let wordsOfDates: Set = [
        "bc", "bce", "ad", "ce", "b", "d", "c", "ca", "circa", "fl", "active", "approximately", "born", "died", "or",
    ]

    /// Whether there are only letters and blanks, and letters.
    fileprivate var isText: Bool { contains(where: \.isLetter) && allSatisfy { $0.isLetter || " ,.".contains($0) } }

    /// Whether these words tell what a person did for a book; others may belong to the name.
    fileprivate var isRole: Bool {
        split { " ,&".contains($0) }.contains { Self.roles.contains($0.lowercased().filter { $0 != "." }) }
    }

    private static let roles: Set = [
        "author", "editor", "ed", "eds", "illustrator", "illustrations", "translator", "contributor", "foreword",
        "introduction", "afterword", "preface", "narrator", "reader", "adapter", "compiler", "creator", "photographer",
        "artist", "designer",
    ]
}

extension String {
    /// The parts of this line between commas; suffixes and dates belong to the part before them.
    fileprivate var namesBetweenCommas: [String] {
        var names: [String] = []
        for part in split(separator: ",").map({ String($0).onOneLine }) where !part.isEmpty {
            if let last = names.last, part[...].areDates || part.isSuffix {
                names[names.count - 1] = "\(last), \(part)"
            } else {
                names.append(part)
            }
        }
        return names
    }

    private var isSuffix: Bool {
        ["jr", "sr", "jnr", "snr", "ii", "iii", "iv", "esq", "phd", "md"].contains(
            lowercased().filter { $0 != "." && $0 != " " })
    }

    /// Whether this is not the name of an organization, or the end of one, such as "Inc.".
    fileprivate var isOfPerson: Bool {
        [self, "x \(self)"].allSatisfy { text in
            var folded = ByteBuffer()
            folded.append(folding: text)
            return NameKey.isPersonal(UnsafeBufferPointer(folded.bytes))
        }
    }

    /// Whether this is a name with given and family name in direct order, and not one of the two.
    fileprivate var isWholeName: Bool {
        let words = ListedName(self[...]).name.prefix { $0 != "," }.split(separator: " ")
        // The kana, which come before all other characters of East Asian names.
        if let first = unicodeScalars.first, first.value >= 0x3040 { return true }
        return words.count > 1 && words.last?.first?.isLowercase == false && !words.joined(separator: " ").areInitials
    }

    /// Whether this consists of initials, such as "J. R. R." and "C.S.".
    fileprivate var areInitials: Bool {
        let letters = split { ". -".contains($0) }
        return !letters.isEmpty && letters.allSatisfy { $0.count == 1 } && contains(".")
    }
}
