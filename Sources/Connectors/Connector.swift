internal import ConnectorProtocol

/// A kind of source that is open and can be copied as rows of JSON.
protocol Connector: AnyObject {
    /// What the source is.
    var opened: OpenedSource { get }
    /// What tells whether the source has changed since it was copied.
    var version: SourceVersion { get }

    /// Writes all records of the source as rows.
    ///
    /// - Returns: Whether the source was whole by what its format says.
    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool
}
