internal import Text

/// Names of people in the order of bibliographies: "Family, Given, Suffix".
enum PersonName {
    /// Returns the name whose parts between commas are lists of words: "von Last, Jr., First", "Last, First, Jr." or
    /// "First von Last"; "" if there are none.
    static func inverted(_ parts: [[String]]) -> String {
        let parts = parts.filter { !$0.isEmpty }
        guard let first = parts.first else { return "" }
        if parts.count == 1 { return natural(first) }
        if parts.count == 2, isSuffix(parts[1]), first.count > 1 { return natural(first + parts[1]) }
        var (given, suffixes) = (parts[1], Array(parts[2...]))
        if isSuffix(given), let name = suffixes.first { (given, suffixes[0]) = (name, given) }
        if suffixes.isEmpty, given.count > 1, isSuffix(given.suffix(1)) { suffixes = [[given.removeLast()]] }
        return joined(first, given, suffixes)
    }

    /// Returns the name of words in the order "First von Last Jr.".
    private static func natural(_ words: [String]) -> String {
        // East Asian names begin with the family name.
        guard words.count > 1, words[0].unicodeScalars.first.map({ $0.value < 0x3040 }) ?? false else {
            return words.joined(separator: " ")
        }
        let hasSuffix = isSuffix(words.suffix(1))
        let name = words.dropLast(hasSuffix ? 1 : 0)
        var start = name.count - 1
        if !name.allSatisfy(isLowerCase), let particle = name.dropLast().firstIndex(where: isLowerCase) {
            start = particle
        }
        return joined(Array(name[start...]), Array(name[..<start]), hasSuffix ? [words.suffix(1)] : [])
    }

    private static func joined(_ family: [String], _ given: [String], _ suffixes: [[String]]) -> String {
        let suffixes = suffixes.map { words in
            let text = words.joined(separator: " ")
            return ["jr", "sr", "Jr", "Sr"].contains(text) ? text + "." : text
        }
        return ([family.joined(separator: " "), Self.given(given, of: family)] + suffixes)
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Returns given names with a full stop and a blank after each initial: "J. R. R." of "J.R.R." and "JRR".
    private static func given(_ words: [String], of family: [String]) -> String {
        let hasInitials =
            words.contains { $0.utf8.contains { (0x41...0x5A).contains($0) } }
            && !words.contains(where: hasSmallLetters)
            && family.contains(where: hasSmallLetters)
        return words.map { word in
            if hasInitials, let initials = initials(word) { return initials }
            let isLetter = word.utf8.count <= longestLetter && word.count == 1 && word.first?.isCased == true
            return isLetter ? word + "." : word
        }
        .joined(separator: " ")
    }

    /// The maximum length of a letter with an accent in bytes.
    private static let longestLetter = 6

    private static func hasSmallLetters(_ word: String) -> Bool { word.utf8.contains { (0x61...0x7A).contains($0) } }

    /// The number of letters from which a word in capitals is a name.
    private static let nameLength = 4

    /// Returns the letters of a word of initials; nil for other words.
    private static func initials(_ word: String) -> String? {
        var text = ""
        var count = 0
        for character in word {
            if character.isLetter {
                if let last = text.last, last != "-" { text += " " }
                text += "\(character)."
                count += 1
            } else if character == "-" {
                text += "-"
            } else if character != "." {
                return nil
            }
        }
        let isName = count >= nameLength && !word.contains(".")
        return isName || count == 0 ? nil : text
    }

    private static func isLowerCase(_ word: String) -> Bool { word.first { $0.isLetter }?.isLowercase == true }

    /// Returns whether the words are a single suffix, such as "Jr.".
    static func isSuffix(_ words: some Collection<String>) -> Bool {
        guard words.count == 1, let word = words.first, word.utf8.count <= 4 else { return false }
        return ["jr", "sr", "jnr", "snr", "ii", "iii", "iv"].contains(word.lowercased().filter { $0 != "." })
    }
}
