public import Books
public import Indexing
package import JSON

/// What a column is made of.
public enum ColumnSource: Hashable, Sendable {
    /// The values of a catalog's own field, from its records.
    case own(BookField)
    /// The lines of the text of the index: authors, subjects, or series without the place, in their normalized form.
    case lines(IndexedTextField)

    /// Creates the source of the column that a query needs: the names of series, or else the values of an own field.
    public init(of field: BookField) { self = field == .series ? .lines(.series) : .own(field) }
}

extension OwnField.Kind {
    /// The kind of the values in a column.
    var columnKind: FieldColumn.Kind { isNumeric ? .number : .text }

    /// Returns what a column has of a value.
    func columnValues(of value: FieldValue?) -> [ColumnMeaning] {
        guard let value else { return [] }
        if isNumeric { return number(of: value).map { [.number($0)] } ?? [] }
        return value.texts.map { .text($0) }
    }
}

extension FieldMapping {
    /// Returns what the column of a field has of a record.
    package func columnValues(of field: BookField, in record: JSONValue) -> [ColumnMeaning] {
        field.info.own?.kind.columnValues(of: value(of: field, in: record)) ?? []
    }
}
