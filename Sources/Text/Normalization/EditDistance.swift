extension [String] {
    /// Returns the words with the smallest edit distance to `word`, or all words if none is similar.
    public func nearest(to word: String) -> [String] {
        // A long word resembles none.
        guard word.utf8.count <= 40 else { return self }
        let distances = map {
            Self.distance(from: Array<Character>(word.lowercased()), to: Array<Character>($0.lowercased()))
        }
        guard let least = distances.min(), least <= Swift.max(2, word.count / 3) else { return self }
        return zip(self, distances).filter { $0.1 == least }.map(\.0)
    }

    /// These words as a choice: "a", "b" or "c".
    public var asChoice: String {
        let quoted = map { "“\($0)”" }
        guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
        return quoted.dropLast().joined(separator: ", ") + " or " + last
    }

    /// Returns the Levenshtein distance: the number of characters to insert, delete or replace.
    private static func distance(from left: [Character], to right: [Character]) -> Int {
        var row = Array<Int>(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let changed = diagonal + (character == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(changed, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
