internal import JSON

/// The difference that edits make to a file, in the unified format of POSIX diff and patch.
public struct UnifiedDiff {
    private let file: CatalogArrangement
    private let path: String
    /// The number of unchanged lines around a change.
    private static let contextCount = 3

    /// Creates the difference of these changes of the file at `path`.
    public init(of changes: CatalogArrangement, path: String) {
        (file, self.path) = (changes, path)
    }

    /// Returns the text of the difference; empty if nothing changes.
    ///
    /// - Throws: `CatalogEditError` if the file cannot be read.
    public func bytes() throws(CatalogEditError) -> [UInt8] { try part(limit: .max).text }

    /// Returns the text of the first changes of lines, and whether these are all.
    ///
    /// - Throws: `CatalogEditError` if the file cannot be read.
    public func part(limit: Int) throws(CatalogEditError) -> (text: [UInt8], isWhole: Bool) {
        let (changes, isWhole) = try changes(limit)
        var text: [UInt8] = []
        var counter = LineCounter(file: file)
        // The line count of the new file minus that of the old one, so far.
        var shift = 0
        for hunk in try hunks(of: changes) {
            let start = try counter.lineNumber(at: hunk.range.lowerBound)
            if text.isEmpty {
                // A tab ends a name that contains spaces.
                let name = path.contains(" ") ? path + "\t" : path
                text += "--- \(name)\n+++ \(name)\n".utf8
            }
            text += hunk.bytes(oldStart: start, newStart: start + shift)
            shift += hunk.newCount - hunk.oldCount
        }
        return (text, isWhole)
    }

    /// Changed lines; the first and the last one differ between the files.
    private struct Change {
        /// The bytes of the old lines.
        var range: Range<Int>
        /// The lines with their signs: "-", "+" or " ".
        var lines: [(sign: Unicode.Scalar, line: ArraySlice<UInt8>)]
    }

    private func hunks(of changes: [Change]) throws(CatalogEditError) -> [Hunk] {
        var hunks: [Hunk] = []
        // The last hunk is open until a change is too far away.
        var open: (hunk: Hunk, end: Int)?
        for change in changes {
            let start = try lineStart(before: change.range.lowerBound, skipping: Self.contextCount)
            if let known = open, try lineEnd(after: known.end, skipping: Self.contextCount) < start {
                hunks.append(try closed(known.hunk, at: known.end))
                open = nil
            }
            let between = try file.bytes(in: (open?.end ?? start)..<change.range.lowerBound)
            var hunk = open?.hunk ?? Hunk(range: start..<start)
            // Its text is not copied with each change.
            open = nil
            for line in LineList(of: between[...]) { hunk.append(" ", line) }
            for (sign, line) in change.lines { hunk.append(sign, line) }
            open = (hunk, change.range.upperBound)
        }
        if let open { hunks.append(try closed(open.hunk, at: open.end)) }
        return hunks
    }

    private func closed(_ hunk: Hunk, at end: Int) throws(CatalogEditError) -> Hunk {
        var hunk = hunk
        let rest = try file.bytes(in: end..<lineEnd(after: end, skipping: Self.contextCount))
        for line in LineList(of: rest[...]) { hunk.append(" ", line) }
        return hunk
    }

    private func changes(_ limit: Int) throws(CatalogEditError) -> ([Change], isWhole: Bool) {
        var changes: [Change] = []
        var piece: (range: Range<Int>, splices: [TextSplice])?
        for splice in try file.changes {
            if changes.count >= limit { return (changes, false) }
            // In a long line with many changes, its ends are searched for only once.
            if let known = piece?.range, splice.range.upperBound < known.upperBound {
                piece?.splices.append(splice)
                continue
            }
            let start = try lineStart(before: splice.range.lowerBound, skipping: 0)
            let end = try lineEnd(after: splice.range.upperBound, skipping: 0)
            if let known = piece?.range, known.upperBound > start {
                piece?.range = known.lowerBound..<max(end, known.upperBound)
                piece?.splices.append(splice)
            } else {
                if let piece, let change = try change(of: piece.range, piece.splices) { changes.append(change) }
                piece = (start..<end, [splice])
            }
        }
        if let piece, let change = try change(of: piece.range, piece.splices) { changes.append(change) }
        return (changes, true)
    }

    /// The maximum number of lines for which the shortest difference is computed, which takes quadratic time in the
    /// worst case.
    private static let comparedLineCount = 500

    /// Returns the change of the whole lines in `range`; nil if they do not change.
    private func change(of range: Range<Int>, _ splices: [TextSplice]) throws(CatalogEditError) -> Change? {
        let oldText = try file.bytes(in: range)
        let newText = splices.map { $0.moved(by: -range.lowerBound) }.applied(to: oldText)
        let (old, new) = (Array(LineList(of: oldText[...])), Array(LineList(of: newText[...])))
        var (removed, added) = (Set(old.indices), Set(new.indices))
        if old.count + new.count <= Self.comparedLineCount {
            (removed, added) = ([], [])
            for change in new.difference(from: old) {
                switch change {
                case .remove(let offset, _, _): removed.insert(offset)
                case .insert(let offset, _, _): added.insert(offset)
                }
            }
        }
        var change = Change(range: range, lines: [])
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if removed.contains(oldIndex) {
                change.lines.append(("-", old[oldIndex]))
                oldIndex += 1
            } else if added.contains(newIndex) {
                change.lines.append(("+", new[newIndex]))
                newIndex += 1
            } else {
                change.lines.append((" ", new[newIndex]))
                (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
            }
        }
        guard let first = change.lines.firstIndex(where: { $0.sign != " " }),
            let last = change.lines.lastIndex(where: { $0.sign != " " })
        else { return nil }
        let before = change.lines[..<first].reduce(0) { $0 + $1.line.count }
        let after = change.lines[(last + 1)...].reduce(0) { $0 + $1.line.count }
        change.range = range.lowerBound + before..<range.upperBound - after
        change.lines = Array(change.lines[first...last])
        return change
    }

    // MARK: - Lines of the file

    /// Returns the start of the line that is `count` lines before the one with `offset`.
    private func lineStart(before offset: Int, skipping count: Int) throws(CatalogEditError) -> Int {
        var (end, left) = (offset, count)
        while end > 0 {
            let start = max(0, end - Self.step)
            let bytes = try file.bytes(in: start..<end)
            for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "\n") {
                if left == 0 { return start + index + 1 }
                left -= 1
            }
            end = start
        }
        return 0
    }

    /// Returns the end of the line with `offset` if `count` is 0; otherwise the end of the `count`th line from
    /// `offset` on.
    private func lineEnd(after offset: Int, skipping count: Int) throws(CatalogEditError) -> Int {
        // With a count, `offset` is the start of the first line.
        var (start, left) = (offset, max(0, count - 1))
        while start < file.size {
            let bytes = try file.bytes(in: start..<min(start + Self.step, file.size))
            for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
                if left == 0 { return start + index + 1 }
                left -= 1
            }
            start += bytes.count
        }
        return file.size
    }

    private static let step = 1 << 12

    /// Counts the lines of a file from its start, once.
    private struct LineCounter {
        let file: CatalogArrangement
        var offset = 0
        var line = 1

        mutating func lineNumber(at target: Int) throws(CatalogEditError) -> Int {
            while offset < target {
                let bytes = try file.bytes(in: offset..<min(target, offset + (1 << 20)))
                line += bytes.count { $0 == UInt8(ascii: "\n") }
                offset += bytes.count
            }
            return line
        }
    }
}

/// The lines of a text, each with its line end.
private struct LineList: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(of text: ArraySlice<UInt8>) { rest = text }

    mutating func next() -> ArraySlice<UInt8>? {
        if rest.isEmpty { return nil }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }
}

/// Nearby changes with the lines around them.
private struct Hunk {
    /// The start of the hunk in the old file.
    let range: Range<Int>
    private(set) var oldCount = 0
    private(set) var newCount = 0
    private var text: [UInt8] = []

    init(range: Range<Int>) { self.range = range }

    /// Adds a line: "-" is only in the old file, "+" only in the new one, and " " in both.
    mutating func append(_ sign: Unicode.Scalar, _ line: ArraySlice<UInt8>) {
        if sign != "+" { oldCount += 1 }
        if sign != "-" { newCount += 1 }
        text.append(UInt8(ascii: sign))
        text += line
        if line.last != UInt8(ascii: "\n") { text += "\n\\ No newline at end of file\n".utf8 }
    }

    /// Returns the hunk with its header.
    func bytes(oldStart: Int, newStart: Int) -> [UInt8] {
        // If one side is empty, its line number is that of the line before.
        let old = oldCount == 0 ? oldStart - 1 : oldStart
        let new = newCount == 0 ? newStart - 1 : newStart
        return Array("@@ -\(old),\(oldCount) +\(new),\(newCount) @@\n".utf8) + text
    }
}
