internal import Books
internal import Browser
internal import Graphemes
internal import Library

/// The text output of `stacks check`.
struct CheckText {
    /// The report.
    let report: CheckReport
    /// The name of the catalog.
    let name: String
    /// The width of the output in columns.
    let columns: Int
    /// The keys of the browser.
    var keys = KeyBindings.standard
    /// Whether to wrap longer lines: true on a terminal, false for programs.
    var isWrapped = false

    /// The maximum number of positions shown for each kind of error.
    private static let shownCount = 3
    /// The maximum length of a bar in columns.
    private static let maximumBarWidth = 40
    /// The width before a bar: two blanks, a label, the count and the share.
    private static let widthBeforeBars = 38

    /// The lines of output, each ended by a line feed.
    var text: String {
        var lines = ["\(name): \(verdict)"]
        if let format = report.format {
            lines.append("Format: \(format)" + (report.encoding.map { ", \($0)" } ?? ""))
        }
        if let profile = report.profile {
            let label = report.profileLabel.flatMap { $0 == profile ? nil : ", \($0)" } ?? ""
            let way = report.isProfileDetected == true ? "detected" : "chosen"
            lines.append("Profile: \(profile)\(label) (\(way))")
        }
        if let paths = report.recordPaths, report.format == nil {
            let place = paths == ["$"] ? "the whole file" : paths.joined(separator: ", ")
            lines.append("Records: \(paths.isEmpty ? "one per line" : place)")
        }
        lines += coverage + problems + doubles + invalidISBNs + cleaning
        return lines.flatMap { wrapped($0.sanitized) }.map { $0 + "\n" }.joined()
    }

    /// Wraps a line that is too long, with continuation lines indented further.
    private func wrapped(_ line: String) -> [String] {
        if !isWrapped || line.displayColumns <= columns { return [line] }
        let indent = min(line.prefix { $0 == " " }.count, columns / 2)
        let hanging = min(indent + 2, columns / 2)
        let rows = LineWrapper(String(line.drop { $0 == " " }), width: max(1, columns - hanging))
        return rows.enumerated().map { number, row in
            String(repeating: " ", count: number == 0 ? indent : hanging) + row.map(\.text).joined()
        }
    }

    private var verdict: String {
        let count = report.records.of("book")
        guard let defects = report.defects else {
            let skipped = report.skipped > 0 ? ", \(report.skipped.grouped) skipped" : ""
            return (report.isIncomplete ? "incomplete" : report.valid ? "valid" : "not valid") + ", \(count)\(skipped)"
        }
        return (report.valid ? "valid JSON, " : "not valid, ") + "\(count). \(defects)"
    }

    // MARK: Coverage

    private var coverage: [String] {
        if report.records == 0 { return [] }
        func count(_ field: BookField) -> Int { report.fields[field.id]?.count ?? 0 }
        // Every book should have these fields; fields of particular formats are shown only if any book has them.
        let shown = report.fieldOrder.filter { Self.usualFields.contains($0) || count($0) > 0 }
        let missing = report.fieldOrder.filter { !shown.contains($0) }
        let hasRoom = columns >= Self.widthBeforeBars || !isWrapped
        let countColumns = hasRoom ? 11 : shown.map { count($0).grouped.count }.max() ?? 0
        let lines = shown.map { field in
            let share = count(field).percentage(of: report.records)
            let number = count(field).grouped.padded(toRight: countColumns)
            let start = "  \(field.info.label.padded(to: 16))\(number)  \(share.padded(toRight: 5))"
            return Self.trimmed("\(start)  \(bar(for: report.fields[field.id]?.share ?? 0))")
        }
        let rest = missing.isEmpty ? [] : ["  Not in any book: " + missing.map(\.info.label).joined(separator: ", ")]
        return ["", "Fields"] + lines + rest
    }

    private static let usualFields: [BookField] = [.title, .authors, .isbn, .pageCount, .fiction]

    /// Returns a bar for a share of 0...1; a positive share shows at least an eighth of a column.
    private func bar(for share: Double) -> String {
        let width = max(0, min(Self.maximumBarWidth, columns - Self.widthBeforeBars))
        let eighths = share > 0 ? max(1, Int((share * Double(width * 8)).rounded(.down))) : 0
        if width == 0 { return "" }
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        return String(repeating: "█", count: eighths / 8) + rest
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: Errors

    private var problems: [String] {
        var kinds: [String] = []
        for problem in report.problems where !kinds.contains(problem.kind) { kinds.append(problem.kind) }
        if kinds.isEmpty { return [] }
        return ["", "Problems"]
            + kinds.flatMap { kind in
                let found = report.problems.filter { $0.kind == kind }
                let count = report.problemCounts[kind] ?? found.count
                return ["  \(kind): \(count.grouped)"]
                    + found.prefix(Self.shownCount).map { problem in
                        "    "
                            + [Self.text(problem.location), problem.message].filter { !$0.isEmpty }.joined(
                                separator: ": ")
                    } + Self.more(count, than: found.count)
            }
    }

    private static func text(_ place: CheckReport.Location, withColumn: Bool = true) -> String {
        // The number of a record is only for formats without lines.
        let record = place.line == nil ? place.record.map { "record \($0)" } : nil
        let column = withColumn ? place.column.map { "column \($0)" } : nil
        let text = [record, place.line.map { "line \($0)" }, column].compactMap(\.self).joined(separator: ", ")
        return text + (place.byteOffset.map { " (byte \($0))" } ?? "")
    }

    private static func more(_ count: Int, than kept: Int) -> [String] {
        let rest = count - min(kept, shownCount)
        return rest > 0 ? ["    and \(rest.grouped) more"] : []
    }

    private var doubles: [String] {
        let kinds = [("same ISBN", report.doubles.isbn), ("same title and authors", report.doubles.titleAndAuthors)]
            .filter { $0.1.groups > 0 }
        if kinds.isEmpty { return [] }
        var lines = ["", "Duplicates"]
        for (kind, found) in kinds {
            lines.append("  \(kind): \(found.groups.of("group")), \(found.records.of("book"))")
            for group in found.first.prefix(Self.shownCount) {
                let places = group.places.prefix(Self.shownCount).map { Self.text($0, withColumn: false) }
                let rest = group.places.count > Self.shownCount ? ", …" : ""
                lines.append("    \(group.value): \(places.joined(separator: ", "))\(rest)")
            }
            lines += Self.more(found.groups, than: found.first.count)
        }
        return lines
    }

    /// What can be cleaned, with the command that shows it.
    private var cleaning: [String] {
        var lines: [String] = []
        let file = name.asArgument
        // Volumes, other editions and books without a title are none.
        if report.cleaning.duplicateGroups > 0 {
            let count = report.cleaning.duplicateGroups.of("duplicate group")
            lines.append("  \(count), other spellings apart. Review them with: stacks duplicates \(file)")
        }
        for field in report.fieldOrder {
            guard let count = report.cleaning.valueGroups[field.id] else { continue }
            let name = (field.info.queryNames.first ?? field.id).asArgument
            let groups = "\(field.info.label): \(count.of("group")) of values that may be one"
            lines.append("  \(groups). See them with: stacks values \(name) \(file)")
        }
        for search in TidyUpSearch.allCases {
            guard let count = report.cleaning.tidyUp[search.rawValue], count > 0 else { continue }
            let isNegative = search.text.hasPrefix("-")
            // What no book has is named above.
            if isNegative, count == report.records { continue }
            let text = search.text.contains(" ") ? "'\(search.text)'" : search.text
            let query = (isNegative ? "-- " : "") + text
            lines.append("  \(search.name): \(count.of("book")). List them with: stacks search \(query) \(file)")
        }
        if lines.isEmpty { return [] }
        return ["", "Cleaning"] + lines
            + ["  In the browser: \(key(.duplicates)) duplicates, \(key(.values)) values, \(key(.lists)) “Tidy up”"]
    }

    private func key(_ command: Command) -> String { keys.firstLabel(of: command) }

    private var invalidISBNs: [String] {
        let found = report.invalidISBNs
        if found.count == 0 { return [] }
        return ["", "Invalid ISBNs: \(found.count.grouped)"]
            + found.first.prefix(Self.shownCount).map { number in
                "    \"\(number.text)\" at \(Self.text(number.location))"
            } + Self.more(found.count, than: found.first.count)
    }
}

extension String {
    /// Returns this text padded on the right to a width in columns.
    func padded(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - displayColumns)) }

    /// Returns this text padded on the left to a width in columns.
    func padded(toRight columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - displayColumns)) + self
    }
}
