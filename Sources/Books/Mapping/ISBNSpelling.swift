internal import JSON

extension FieldMapping.Candidate {
    /// The length of the ISBNs at this path according to its name, as in isbn_10 or ISBN_13; nil for both lengths.
    var isbnLength: Int? {
        let name = path.description.lowercased()
        for length in [10, 13]
        where ["isbn\(length)", "isbn_\(length)", "isbn-\(length)"].contains(where: { name.contains($0) }) {
            return length
        }
        return nil
    }

    /// Returns an ISBN in the length for this path, with hyphens like those of `example`; nil if there is no ISBN of
    /// that length.
    func spelling(of isbn: ISBN, like example: String?) -> String? {
        guard let typed = isbn.length else { return isbn.text }
        let length = isbnLength ?? typed
        guard let plain = isbn.digits(length: length) else { return nil }
        let hyphens = Set<Character>(["-", "\u{2010}", "\u{2011}"])
        let isWritten = length == typed && isbn.text.allSatisfy { $0.isNumber || $0 == "X" || $0 == "x" || $0 == "-" }
        guard let example, ISBN(example).isValid else { return isWritten ? isbn.text : plain }
        let model = example.lowercased().hasPrefix("urn:isbn:") ? String(example.dropFirst(9)) : example
        if !model.contains(where: hyphens.contains) { return plain }
        // Only the tables of the ISBN agency define the boundaries between the groups of a number.
        let groups = model.split(whereSeparator: hyphens.contains)
        if length == 13, groups.count == 2, groups[0].count == 3 { return plain.prefix(3) + "-" + plain.dropFirst(3) }
        return isWritten ? isbn.text : plain
    }
}
