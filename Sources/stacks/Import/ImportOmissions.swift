internal import Books
internal import Graphemes
internal import JSON
internal import Library
internal import Shelves
internal import Text

/// What an import leaves out of a table, with the first line of each kind.
final class ImportOmissions {
    /// Values that are not imported for the same reason.
    struct Values: Hashable {
        /// What they are: a column, and the reason if it is not that they cannot be read.
        let name: String
        fileprivate(set) var count: Int
        /// The line of the first one, from 1.
        let line: Int
        /// The text of the first one.
        let text: String
    }

    /// The values in the order of their first lines.
    private(set) var values: [Values] = []
    private var usedColumns: Set<Int> = []
    /// Today's local date.
    private let today = UserData(directory: nil).today

    /// Notes a value that is not imported.
    func add(_ name: String, _ text: String, at line: Int) {
        if let index = values.firstIndex(where: { $0.name == name }) {
            values[index].count += 1
        } else {
            values.append(Values(name: name, count: 1, line: line, text: text))
        }
    }

    /// Returns a day that a reading may have; notes other texts but "".
    func day(_ text: String, of column: String, at line: Int) -> String? {
        if text.isEmpty { return nil }
        guard let day = text.day else {
            add(column, text, at: line)
            return nil
        }
        // A part of a date is as late as its beginning.
        guard day <= today else {
            add("\(column), in the future", text, at: line)
            return nil
        }
        return day
    }

    /// Notes that a column was read.
    func use(_ column: Int) { usedColumns.insert(column) }

    /// Returns the columns of `header` that no row was asked for, and that are not those of a book, which are in the
    /// catalog.
    func unusedColumns(of header: [String]) -> [String] {
        header.indices.filter { !usedColumns.contains($0) && !header[$0].trimmed.isEmpty }.map { header[$0] }.filter {
            let key = FieldNames.key(of: $0)
            return !BookField.builtIn.contains { $0.names.weight(of: key) != nil }
        }
    }
}

extension ImportReport {
    /// The lines about what is left out.
    var linesOfOmissions: [String] {
        let values = omissions.map { omission in
            "\(omission.count.of("value")) of \(omission.name.sanitized) "
                + "(first “\(omission.text.sanitized)” in line \(omission.line.grouped))"
        }
        var lines = values.isEmpty ? [] : ["Not imported: \(values.joined(separator: "; "))."]
        if !unusedColumns.isEmpty {
            lines.append("Columns that are not imported: \(unusedColumns.listed.sanitized).")
        }
        return lines
    }

    /// What is left out as JSON.
    var membersOfOmissions: [JSONValue.Member] {
        let values = omissions.map { omission in
            JSONValue.object([
                .init(key: "name", value: .string(omission.name)),
                .init(key: "count", value: .number(String(omission.count))),
                .init(key: "line", value: .number(String(omission.line))),
                .init(key: "text", value: .string(omission.text)),
            ])
        }
        return [
            .init(key: "notImported", value: .array(values)),
            .init(key: "columnsNotImported", value: .array(unusedColumns.map { .string($0) })),
        ]
    }
}
