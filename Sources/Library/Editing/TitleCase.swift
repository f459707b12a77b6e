/// English title case: words begin with a capital, except for small ones within the title.
///
/// What has a spelling of its own stays: names such as McDonald and iPhone, and short words in capitals, such as USA. In
/// a text that is all in capitals, those of words say nothing, and only Roman numerals stay. Scripts without case are
/// left alone.
struct TitleCase {
    /// A run of letters and digits, with the apostrophes and periods within it.
    private struct Word {
        var characters: [Character]
        /// The text between the previous word, or the start, and this one.
        var gap: String
    }

    private var words: [Word] = []
    /// The text after the last word.
    private var end = ""
    /// Whether all letters are capitals.
    private let isShouted: Bool

    /// The words that are small between others.
    private static let smallWords: Set<String> = [
        "a", "an", "the", "and", "but", "or", "nor", "of", "in", "on", "at", "to", "for", "by", "from", "with", "as",
        "vs",
    ]
    /// The length up to which a word in capitals is taken for an abbreviation.
    private static let longestAbbreviation = 4
    private static let apostrophes: Set<Character> = ["'", "’", "ʼ"]
    private static let hyphens: Set<String> = ["-", "\u{2010}", "\u{2011}", "–"]
    private static let openings: Set<Character> = ["(", "[", "{", "\"", "'", "“", "‘", "„", "«", "‹", "¿", "¡", "—"]

    private init(_ text: String) {
        let characters = Array(text)
        var gap = ""
        for (index, character) in characters.enumerated() {
            let isWithin = gap.isEmpty && !words.isEmpty
            let isJoined =
                isWithin && (character == "." || Self.apostrophes.contains(character))
                && characters[index - 1].isLetter && index + 1 < characters.count && characters[index + 1].isLetter
            if isJoined || character.isLetter || character.isNumber {
                if !isWithin { words.append(Word(characters: [], gap: gap)) }
                gap = ""
                words[words.count - 1].characters.append(character)
            } else {
                gap.append(character)
            }
        }
        end = gap
        let letters = characters.filter(\.isCased)
        isShouted =
            !letters.contains(where: \.isLowercase) && words.contains { $0.characters.count(where: \.isCased) > 1 }
    }

    /// Returns `text` in title case. Linear.
    static func text(of text: String) -> String { TitleCase(text).text }

    private var text: String {
        words.indices.map { words[$0].gap + (isSmall($0) ? lowercased($0) : capitalized($0)) }.joined() + end
    }

    // MARK: - Small words

    private func isSmall(_ index: Int) -> Bool {
        let word = words[index]
        guard Self.smallWords.contains(String(word.characters).lowercased()), !begins(index), index < words.count - 1
        else { return false }
        // In a compound, they are small in the middle: State-of-the-Art, but In-Depth and Built-In.
        return Self.hyphens.contains(word.gap) == Self.hyphens.contains(words[index + 1].gap)
    }

    /// Whether the word is the first of the title, of a subtitle or of what is in parentheses or quotation marks.
    private func begins(_ index: Int) -> Bool {
        let gap = words[index].gap
        if index == 0 || gap.contains(where: { ":?!".contains($0) }) { return true }
        if let last = gap.last, Self.openings.contains(last) { return true }
        return gap.contains { $0 == "—" } || [" - ", " – "].contains(gap)
    }

    // MARK: - Letters

    private func lowercased(_ index: Int) -> String { Self.lowercased(words[index].characters) }

    private func capitalized(_ index: Int) -> String {
        let characters = words[index].characters
        let letters = characters.filter(\.isCased)
        let capitals = letters.count { !$0.isLowercase }
        if capitals == 0 { return Self.capitalized(characters) }
        let isAllCapitals = capitals == letters.count
        if !isAllCapitals { return String(characters) }
        if isShouted {
            if isNumeral(characters) || characters.contains(".") || words.count == 1 && letters.count < 4 {
                return String(characters)
            }
        } else if letters.count <= Self.longestAbbreviation {
            return String(characters)
        }
        return Self.capitalized(Array(Self.lowercased(characters)))
    }

    /// Whether the word is a Roman numeral from II to XXXIX; longer ones may be words, as MIX is.
    private func isNumeral(_ characters: [Character]) -> Bool {
        guard characters.count > 1 else { return false }
        let ones = characters.drop { $0 == "X" }
        guard characters.count - ones.count <= 3 else { return false }
        return ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"].contains(String(ones))
    }

    /// Returns a word in lower case with a capital at its start, and after the apostrophe of a name: O’Brien, but Don’t.
    private static func capitalized(_ characters: [Character]) -> String {
        guard let first = characters.first, first.isLetter else { return String(characters) }
        var word = characters
        word[0] = first.withInitialCapital
        let isName = characters.count > 4 && "odl".contains(first) && apostrophes.contains(characters[1])
        if isName { word[2] = characters[2].withInitialCapital }
        return String(word)
    }

    /// Returns a word in lower case, with the form of the Greek sigma at the end of words.
    private static func lowercased(_ characters: [Character]) -> String {
        let word = String(characters).lowercased()
        return characters.count > 1 && characters.last == "Σ" && word.last == "σ" ? word.dropLast() + "ς" : word
    }
}

extension Character {
    /// The letter as the first of a word in title case; Georgian, for example, has capitals but not at the start of words.
    fileprivate var withInitialCapital: Character {
        guard let first = unicodeScalars.first else { return self }
        var scalars = String.UnicodeScalarView(first.properties.titlecaseMapping.unicodeScalars)
        scalars.append(contentsOf: unicodeScalars.dropFirst())
        // ß has none of a single letter.
        return String(scalars).count == 1 ? Character(String(scalars)) : self
    }
}
