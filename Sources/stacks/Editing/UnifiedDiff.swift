internal import Catalog
internal import JSON
internal import Storage

/// The difference that an editor would make to its file, in the unified format of POSIX diff and patch.
struct UnifiedDiff {
    private let editor: CatalogEditor
    private let path: String
    /// The number of unchanged lines around a change.
    private static let contextCount = 3

    /// Creates the difference of the changes in `editor`.
    init(of editor: CatalogEditor, path: String) {
        (self.editor, self.path) = (editor, path)
    }

    /// Returns the text of the difference; empty if nothing changes.
    func bytes() throws(CatalogEditError) -> [UInt8] {
        var text: [UInt8] = []
        var counter = LineCounter(editor: editor)
        // How many lines more the new file has so far.
        var shift = 0
        for group in try groups() {
            let hunk = try Hunk(of: group, in: editor)
            let start = try counter.lineNumber(at: group.range.lowerBound)
            if text.isEmpty { text += "--- \(path)\n+++ \(path)\n".utf8 }
            text += hunk.bytes(oldStart: start, newStart: start + shift)
            shift += hunk.newCount - hunk.oldCount
        }
        return text
    }

    /// Changes that share a hunk, with the lines around them.
    fileprivate struct Group {
        var range: Range<Int>
        var splices: [TextSplice]
    }

    private func groups() throws(CatalogEditError) -> [Group] {
        var groups: [Group] = []
        for splice in editor.changes {
            let start = try lineStart(before: splice.range.lowerBound, skipping: Self.contextCount)
            let end = try lineEnd(after: splice.range.upperBound, skipping: Self.contextCount)
            if let last = groups.last, last.range.upperBound >= start {
                groups[groups.count - 1].range = last.range.lowerBound..<max(end, last.range.upperBound)
                groups[groups.count - 1].splices.append(splice)
            } else {
                groups.append(Group(range: start..<end, splices: [splice]))
            }
        }
        return groups
    }

    /// Returns the start of the line that is `count` lines before the one with `offset`.
    private func lineStart(before offset: Int, skipping count: Int) throws(CatalogEditError) -> Int {
        var (end, left) = (offset, count)
        while end > 0 {
            let start = max(0, end - Self.step)
            let bytes = try editor.bytes(in: start..<end)
            for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "\n") {
                if left == 0 { return start + index + 1 }
                left -= 1
            }
            end = start
        }
        return 0
    }

    /// Returns the end of the line that is `count` lines after the one with `offset`.
    private func lineEnd(after offset: Int, skipping count: Int) throws(CatalogEditError) -> Int {
        var (start, left) = (offset, count)
        while start < editor.size {
            let bytes = try editor.bytes(in: start..<min(start + Self.step, editor.size))
            for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
                if left == 0 { return start + index + 1 }
                left -= 1
            }
            start += bytes.count
        }
        return editor.size
    }

    private static let step = 1 << 12

    /// Counts the lines of a file from its start, once.
    private struct LineCounter {
        let editor: CatalogEditor
        var offset = 0
        var line = 1

        mutating func lineNumber(at goal: Int) throws(CatalogEditError) -> Int {
            while offset < goal {
                let bytes = try editor.bytes(in: offset..<min(goal, offset + (1 << 20)))
                line += bytes.count { $0 == UInt8(ascii: "\n") }
                offset += bytes.count
            }
            return line
        }
    }
}

/// Some lines of the difference.
private struct Hunk {
    private var text: [UInt8] = []
    private(set) var oldCount = 0
    private(set) var newCount = 0

    init(of group: UnifiedDiff.Group, in editor: CatalogEditor) throws(CatalogEditError) {
        let old = try editor.bytes(in: group.range)
        let splices = group.splices.map { $0.moved(by: -group.range.lowerBound) }
        var end = 0
        for (range, splices) in Self.pieces(of: splices, in: old) {
            for line in Self.lines(of: old[end..<range.lowerBound]) { appendCommon(line) }
            let new = splices.map { $0.moved(by: -range.lowerBound) }.applied(to: Array(old[range]))
            appendDifference(Self.lines(of: old[range]), Self.lines(of: new[...]))
            end = range.upperBound
        }
        for line in Self.lines(of: old[end...]) { appendCommon(line) }
    }

    /// Returns the ranges of whole lines that `splices` change, each with its changes.
    private static func pieces(
        of splices: [TextSplice], in text: [UInt8]
    ) -> [(range: Range<Int>, splices: [TextSplice])] {
        var pieces: [(range: Range<Int>, splices: [TextSplice])] = []
        let newline = UInt8(ascii: "\n")
        for splice in splices {
            let start = text[..<splice.range.lowerBound].lastIndex(of: newline).map { $0 + 1 } ?? 0
            let end = text[splice.range.upperBound...].firstIndex(of: newline).map { $0 + 1 } ?? text.count
            if let last = pieces.last, last.range.upperBound > start {
                pieces[pieces.count - 1].range = last.range.lowerBound..<max(end, last.range.upperBound)
                pieces[pieces.count - 1].splices.append(splice)
            } else {
                pieces.append((start..<end, [splice]))
            }
        }
        return pieces
    }

    /// The number of lines whose shortest difference is looked for; that takes the square of it at worst.
    private static let comparedLineCount = 500

    private mutating func appendDifference(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) {
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
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if removed.contains(oldIndex) {
                append("-", old[oldIndex])
                (oldIndex, oldCount) = (oldIndex + 1, oldCount + 1)
            } else if added.contains(newIndex) {
                append("+", new[newIndex])
                (newIndex, newCount) = (newIndex + 1, newCount + 1)
            } else {
                appendCommon(new[newIndex])
                (oldIndex, newIndex) = (oldIndex + 1, newIndex + 1)
            }
        }
    }

    private mutating func appendCommon(_ line: ArraySlice<UInt8>) {
        append(" ", line)
        (oldCount, newCount) = (oldCount + 1, newCount + 1)
    }

    /// Returns the hunk with its heading.
    func bytes(oldStart: Int, newStart: Int) -> [UInt8] {
        // An empty side is named by the line before it.
        let old = oldCount == 0 ? oldStart - 1 : oldStart
        let new = newCount == 0 ? newStart - 1 : newStart
        return Array("@@ -\(old),\(oldCount) +\(new),\(newCount) @@\n".utf8) + text
    }

    private mutating func append(_ sign: Unicode.Scalar, _ line: ArraySlice<UInt8>) {
        text.append(UInt8(ascii: sign))
        text += line
        if line.last != UInt8(ascii: "\n") { text += "\n\\ No newline at end of file\n".utf8 }
    }

    private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = bytes.startIndex
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.endIndex { lines.append(bytes[start...]) }
        return lines
    }
}
