internal import Text

/// The search for values of a field that are spelt in several ways: in case, accents, punctuation or blanks, in one letter
/// of a word, and names also in the order of their parts and in initials. Numbers tell values apart.
struct VariantSearch {
    private let values: [ComparedValue]

    /// The number of values of a key that are compared with each other.
    private static let keyLimit = 2000

    /// Creates a search among different texts, the most frequent first.
    init(_ texts: [String], areNames: Bool) { values = texts.map { ComparedValue($0, isName: areNames) } }

    /// Returns sets of numbers of values that are all alike, each in ascending order, by their first numbers; nil if it was
    /// stopped. Each value is in the first set with which all of it agrees. Linearithmic, but for names of which thousands
    /// share a part and an initial.
    func find(unless isCancelled: () -> Bool) -> [[Int]]? {
        var entries: [KeyedBook] = []
        for (number, value) in values.enumerated() {
            for var key in value.keys {
                entries.append(KeyedBook(key: key.withUTF8(\.hashed), book: UInt32(number)))
            }
            if number.isMultiple(of: 1024), isCancelled() { return nil }
        }
        // The earlier values that may be the same as each value.
        var others: [Int: Set<Int>] = [:]
        var isStopped = false
        entries.forEachRun { run in
            isStopped = isStopped || isCancelled()
            if isStopped { return }
            let compared = run.prefix(Self.keyLimit).map { Int($0.book) }
            for (place, first) in compared.enumerated() {
                for second in compared.dropFirst(place + 1) where values[first].isVariant(of: values[second]) {
                    others[second, default: []].insert(first)
                }
            }
        }
        if isStopped { return nil }
        var sets: [[Int]] = []
        var places: [Int: Int] = [:]
        // The most frequent value of a set comes first, and the others join it.
        for number in Set(others.keys).union(others.values.joined()).sorted() {
            let candidates = Set((others[number] ?? []).compactMap { places[$0] }).sorted()
            let place = candidates.first { place in sets[place].allSatisfy { values[number].isVariant(of: values[$0]) }
            }
            if let place {
                sets[place].append(number)
                places[number] = place
            } else {
                places[number] = sets.count
                sets.append([number])
            }
        }
        return sets.filter { $0.count > 1 }
    }
}

/// A value as it is compared.
struct ComparedValue {
    private let words: [String]
    /// The words in one, and those of a name in one order.
    private let letters: String
    private let sortedLetters: String
    private let numbers: [String]
    /// The value as a name of a person; nil for others.
    private let name: SpelledName?
    /// Whether it is short enough to be compared letter by letter: the keys for that grow with the square of its length.
    private let isShort: Bool

    /// The number of bytes of a value beyond which it is a text of its own, and no spelling of another one.
    private static let longestValue = 2000
    /// The numbers of bytes and of words up to which a value is compared letter by letter.
    private static let (longestName, mostWords) = (200, 12)

    /// Creates the value of a text.
    init(_ text: String, isName: Bool) {
        let folded = text.utf8.count > Self.longestValue ? "" : text.folded
        words = NameParts(folded).parts
        letters = words.joined()
        numbers = words.filter(\.isNumber)
        isShort = folded.utf8.count <= Self.longestName && words.count <= Self.mostWords
        name = isName && isShort ? SpelledName(folded: folded) : nil
        sortedLetters = isName ? words.sorted().joined(separator: " ") : letters
    }

    /// Whether both are spellings of one value.
    func isVariant(of other: ComparedValue) -> Bool {
        if letters.isEmpty { return false }
        if letters == other.letters || sortedLetters == other.sortedLetters { return true }
        if let name, let otherName = other.name, name.mayBe(otherName) { return true }
        return isShort && other.isShort && numbers == other.numbers && isMisspelt(other)
    }

    /// Whether one word differs in one letter; the words of names may stand in any order, and begin with the right letter.
    private func isMisspelt(_ other: ComparedValue) -> Bool {
        guard words.count == other.words.count else { return false }
        let differing: [(String, String)]
        if name == nil {
            differing = zip(words, other.words).filter { $0 != $1 }
        } else {
            var (mine, theirs) = (words, other.words)
            mine.removeAll { word in
                guard let place = theirs.firstIndex(of: word) else { return false }
                theirs.remove(at: place)
                return true
            }
            differing = Array(zip(mine, theirs))
        }
        guard differing.count == 1, let (mine, theirs) = differing.first else { return false }
        if name != nil, mine.first != theirs.first { return false }
        return mine.isMisspellable && theirs.isMisspellable && mine.isOneLetterFrom(theirs)
    }

    /// Texts, at least one of which every variant shares.
    var keys: Set<String> {
        if letters.isEmpty { return [] }
        var keys: Set<String> = [letters, sortedLetters]
        for (place, word) in isShort ? Array(words.enumerated()) : [] where word.isMisspellable {
            var rest = words
            rest.remove(at: place)
            if name != nil { rest.sort() }
            let context = (name == nil ? "\(place) " : "") + rest.joined(separator: " ") + "|"
            for form in word.shortened { keys.insert(context + form) }
        }
        if let key = name?.key { keys.insert(key) }
        return keys
    }
}

/// The family name and the given names of a person, which may be initials, in the order of both spellings: "Tolkien, J.R.R.",
/// "J. R. R. Tolkien", "Tolkien JRR" and "John Tolkien".
private struct SpelledName {
    /// The parts of the name, the given names first.
    private var parts: [String] = []
    /// The number of parts of the family name; nil if only its last part is known.
    private var familyCount: Int?

    /// What may follow a name, and is no part of it.
    private static let suffixes: Set<String> = ["jr", "sr", "ii", "iii", "iv", "phd", "md"]

    /// Fails without a family name and a given name.
    init?(folded text: String) {
        // Commas of Latin, Arabic and Chinese.
        let sides = text.split(maxSplits: 1) { ",،，".contains($0) }.map { Self.parts(of: String($0)) }
        guard var first = sides.first else { return nil }
        if sides.count == 2, !sides[1].isEmpty {
            parts = sides[1] + first
            familyCount = first.count
        } else {
            // Initials at the end follow the family name.
            if first.count > 1, first[first.count - 1].count == 1, first[0].count > 1 {
                first.append(first.removeFirst())
            }
            parts = first
        }
        if parts.count <= max(1, familyCount ?? 1) || parts[parts.count - 1].count < 2 { return nil }
    }

    /// Returns the words of a part of a name; initials that are written together are several words.
    private static func parts(of text: String) -> [String] {
        let words = NameParts(text).parts.filter { !$0.utf8.allSatisfy(\.isASCIIDigit) && !suffixes.contains($0) }
        let hasLongName = words.contains { $0.utf8.count >= 4 }
        return words.flatMap { word in
            let isOfInitials =
                (hasLongName || words.count == 1) && (2...4).contains(word.utf8.count)
                && word.utf8.allSatisfy(\.isConsonant)
            return isOfInitials ? word.map(String.init) : [word]
        }
    }

    /// Whether the family names are equal, and the given names agree in their order as far as both have them.
    func mayBe(_ other: SpelledName) -> Bool {
        let count = max(familyCount ?? 1, other.familyCount ?? 1)
        guard parts.count > count, other.parts.count > count, parts.suffix(count) == other.parts.suffix(count),
            familyCount == nil || other.familyCount == nil || familyCount == other.familyCount
        else { return false }
        return zip(parts.dropLast(count), other.parts.dropLast(count)).allSatisfy { mine, theirs in
            mine == theirs || mine.count == 1 && theirs.hasPrefix(mine) || theirs.count == 1 && mine.hasPrefix(theirs)
        }
    }

    /// A text that names that may be one share.
    var key: String { parts[parts.count - 1] + " " + parts[0].prefix(1) }
}
