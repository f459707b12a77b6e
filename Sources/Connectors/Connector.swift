internal import ConnectorProtocol

/// An open source of some kind that can be copied as rows of JSON.
protocol Connector: AnyObject {
    /// The description of the source.
    var opened: OpenedSource { get }
    /// The version of the source, which changes with its content.
    var version: SourceVersion { get }

    /// Writes all records of the source as rows.
    ///
    /// - Returns: Whether the source was complete according to its format.
    func copy(to rows: RowWriter) throws(ConnectorFailure) -> Bool
}
