internal import Catalog
internal import JSON

/// A list of records as text: what stands between them after one is taken out or put in.
struct RecordList {
    /// The kind of a list.
    enum Kind {
        /// An array of the file.
        case array
        /// One record per line, with this line end.
        case lines(lineEnd: [UInt8])
    }

    let kind: Kind

    /// Returns the text that remains of that before and after a record without it, and without one comma or line end;
    /// nil if the record is not in a list.
    func joined(_ before: [UInt8], _ after: [UInt8]) -> [UInt8]? {
        switch kind {
        case .lines:
            let lineStart = before.lastIndex(of: .newline).map { $0 + 1 } ?? 0
            if let newline = after.firstIndex(of: .newline) {
                // Blank lines before it are kept.
                return Array(before[..<lineStart]) + after[(newline + 1)...]
            }
            // The line before it, which becomes the last, loses its own line end, too.
            let end = before[..<max(0, lineStart - 1)]
            return Array(end.last == .carriageReturn ? end.dropLast() : end)
        case .array:
            if let next = after.endOfFirstComma { return before + after[next...] }
            guard let closing = after.firstIndex(where: { !$0.isJSONWhitespace }),
                after[closing] == UInt8(ascii: "]")
            else { return nil }
            if let comma = before.startOfLastComma { return Array(before[..<comma]) + after }
            guard let opening = before.lastIndex(where: { !$0.isJSONWhitespace }),
                before[opening] == UInt8(ascii: "[")
            else { return nil }
            // The array becomes empty.
            return Array(before[...opening]) + after[closing...]
        }
    }

    /// Returns the text before and after a record that is put into a gap behind the previous record, or else before the
    /// next one; nil if there is no list at this place.
    func split(_ gap: [UInt8], isBehind: Bool, separator: [UInt8]) -> (before: [UInt8], after: [UInt8])? {
        switch kind {
        case .lines(let lineEnd):
            if !isBehind { return (gap, lineEnd) }
            guard let newline = gap.firstIndex(of: .newline) else { return (lineEnd, gap) }
            return (Array(gap[...newline]), lineEnd + gap[(newline + 1)...])
        case .array:
            let byte = isBehind ? gap.first { !$0.isJSONWhitespace } : gap.last { !$0.isJSONWhitespace }
            guard let byte, byte == UInt8(ascii: ",") || byte == UInt8(ascii: isBehind ? "]" : "[") else { return nil }
            return isBehind ? (separator, gap) : (gap, separator)
        }
    }

    /// Returns the length of the items of an array, with their commas, at the beginning of a gap that its bracket
    /// follows, and the separator before the last one; nil if there are none.
    func itemsAtEnd(of gap: [UInt8]) -> (count: Int, separator: [UInt8])? {
        guard case .array = kind else { return nil }
        return JSONReader.reading(gap) { reader in
            var found: (count: Int, separator: [UInt8])?
            while reader.peek() == UInt8(ascii: ",") {
                reader.move(to: reader.offset + 1)
                _ = reader.peek()
                let separator = gap[(found?.count ?? 0)..<reader.offset]
                do throws(JSONSyntaxError) { try reader.skipValue() } catch { return nil }
                found = (reader.offset, Array(separator))
            }
            return reader.peek() == UInt8(ascii: "]") ? found : nil
        }
    }

    /// Whether a gap has nothing but a comma or line ends and white space.
    func isSeparator(_ gap: [UInt8]) -> Bool {
        switch kind {
        case .lines: gap.contains(.newline) && gap.allSatisfy(\.isJSONWhitespace)
        case .array: gap.endOfFirstComma == gap.count
        }
    }

    /// Returns the comma between two records with the white space around it, like that beside a record.
    ///
    /// - Parameters:
    ///   - before: The text before the record.
    ///   - after: The text after it.
    ///   - other: A separator elsewhere in the file, if there is one.
    func separator(_ before: [UInt8], _ after: [UInt8], like other: [UInt8]?) -> [UInt8] {
        if let next = after.endOfFirstComma { return Array(after[..<next]) }
        if let comma = before.startOfLastComma { return Array(before[comma...]) }
        if let other { return other }
        let opening = before.suffix(while: \.isJSONWhitespace)
        return [UInt8(ascii: ",")] + (opening.contains(.newline) ? opening : [])
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// The index after the white space behind the comma with which this text begins, except for white space; nil if it
    /// begins otherwise.
    var endOfFirstComma: Int? {
        guard let comma = firstIndex(where: { !$0.isJSONWhitespace }), self[comma] == UInt8(ascii: ",") else {
            return nil
        }
        return self[(comma + 1)...].firstIndex { !$0.isJSONWhitespace } ?? endIndex
    }
}

extension [UInt8] {
    /// The index of the white space before the comma with which this text ends, except for white space; nil if it ends
    /// otherwise.
    var startOfLastComma: Int? {
        guard let comma = lastIndex(where: { !$0.isJSONWhitespace }), self[comma] == UInt8(ascii: ",") else {
            return nil
        }
        return self[..<comma].lastIndex { !$0.isJSONWhitespace }.map { $0 + 1 } ?? 0
    }

    /// Returns the longest end of which each byte is accepted.
    fileprivate func suffix(while isAccepted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !isAccepted($0) }.map { $0 + 1 } ?? 0)...]
    }
}

extension UInt8 {
    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
