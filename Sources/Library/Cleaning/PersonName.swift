internal import Text

/// The parts of a person's name in any spelling: "Tolkien, J.R.R.", "J. R. R. Tolkien" and "JRR Tolkien" are variants of
/// one name, and so is "John Ronald Reuel Tolkien".
public struct PersonName {
    /// The normalized name.
    private let text: String
    /// The parts of more than one letter.
    let names: [String]
    /// The parts of one letter.
    private let initials: [String]

    /// The greatest number of parts of a name.
    private static let maximumCount = 8

    /// Creates the parts of a normalized name. Linear.
    public init(folded text: String) {
        self.text = text
        var names: [String] = []
        var initials: [String] = []
        var parts = NameParts(text).parts.filter { !$0.utf8.allSatisfy(\.isASCIIDigit) }
        // What has more parts is no name of one person, and equals itself only.
        if parts.count > Self.maximumCount { parts = [] }
        // Initials that are written together have no vowel, unlike names such as "Ng" that stand beside another one.
        let hasLongName = parts.contains { $0.utf8.count >= 4 }
        for part in parts {
            if part.count == 1 {
                initials.append(part)
            } else if hasLongName, part.utf8.count <= 4, part.utf8.allSatisfy(\.isConsonant) {
                initials += part.map(String.init)
            } else {
                names.append(part)
            }
        }
        (self.names, self.initials) = (names, initials)
    }

    /// Whether both names may be those of one person: at least one name of several letters is the same, and the other
    /// names and initials of one agree with those of the other. A family name alone agrees with itself only.
    public func mayBe(_ other: PersonName) -> Bool {
        if text == other.text { return true }
        var (mine, theirs) = (names, other.names)
        var (myInitials, theirInitials) = (initials, other.initials)
        var agreed = Self.removeCommon(&mine, &theirs)
        if agreed == 0 || !mine.isEmpty && !theirs.isEmpty { return false }
        for name in mine {
            guard let place = theirInitials.firstIndex(where: name.hasPrefix) else { return false }
            theirInitials.remove(at: place)
            agreed += 1
        }
        for name in theirs {
            guard let place = myInitials.firstIndex(where: name.hasPrefix) else { return false }
            myInitials.remove(at: place)
            agreed += 1
        }
        agreed += Self.removeCommon(&myInitials, &theirInitials)
        let hasSameParts = names.count + initials.count == other.names.count + other.initials.count
        return (myInitials.isEmpty || theirInitials.isEmpty) && (agreed > 1 || hasSameParts)
    }

    /// Removes the elements that both have from both.
    ///
    /// - Returns: Their number.
    private static func removeCommon(_ first: inout [String], _ second: inout [String]) -> Int {
        let count = first.count
        first.removeAll { element in
            guard let place = second.firstIndex(of: element) else { return false }
            second.remove(at: place)
            return true
        }
        return count - first.count
    }
}

/// The words of a normalized text, without punctuation; apostrophes and invisible characters do not end a word.
struct NameParts {
    /// The words.
    var parts: [String] = []

    /// Creates the words of a normalized text. Linear.
    init(_ text: String) {
        var part = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // Only after a letter, as in C++ and C#, these are a part of it.
            if scalar.isOfWord || !part.isEmpty && (scalar == "+" || scalar == "#") {
                part.append(scalar)
            } else if !part.isEmpty, !scalar.isWithinWord {
                parts.append(String(part))
                part = String.UnicodeScalarView()
            }
        }
        if !part.isEmpty { parts.append(String(part)) }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a letter, a mark or a digit.
    fileprivate var isOfWord: Bool {
        if isASCII { return UInt8(value).isASCIILetter || UInt8(value).isASCIIDigit }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// Whether the scalar may stand within a word, of which it is no part.
    fileprivate var isWithinWord: Bool { self == "'" || self == "’" || properties.generalCategory == .format }
}

extension UInt8 {
    var isConsonant: Bool { isASCIILetter && !"aeiouy".utf8.contains(self) }
}
