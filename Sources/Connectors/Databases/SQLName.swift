extension String {
    /// The name of a table or column in a statement, with its quotation marks doubled (SQLite, "SQL Keywords"). The
    /// library's own `quotedDatabaseIdentifier` does not double them.
    var sqlName: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
