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
        let new = group.splices.map { $0.moved(by: -group.range.lowerBound) }.applied(to: old)
        let (oldLines, newLines) = (Self.lines(of: old), Self.lines(of: new))
        var (removed, added): (Set<Int>, Set<Int>) = ([], [])
        for change in newLines.difference(from: oldLines) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < oldLines.count || newIndex < newLines.count {
            if removed.contains(oldIndex) {
                append("-", oldLines[oldIndex])
                oldIndex += 1
            } else if added.contains(newIndex) {
                append("+", newLines[newIndex])
                newIndex += 1
            } else {
                append(" ", newLines[newIndex])
                oldIndex += 1
                newIndex += 1
            }
        }
        (oldCount, newCount) = (oldLines.count, newLines.count)
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

    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") {
            lines.append(bytes[start...index])
            start = index + 1
        }
        if start < bytes.count { lines.append(bytes[start...]) }
        return lines
    }
}
