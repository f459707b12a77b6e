public import ConnectorProtocol

/// What became of the copy of a source that the reader should know of.
public enum MirrorNews: Hashable, Sendable {
    /// It is as the source is now, but rows are missing from it or were read with difficulty, or there are other tables.
    case complete(MirrorState)
    /// The source has no books.
    case empty(MirrorState)
    /// The server of this host is asked for the first time, and has sent nothing yet.
    case connecting(host: String)
    /// The source is read for the first time, and its rows are shown as they come.
    case copying
    /// The source is read again because the reader asked for it.
    case copyingAgain
    /// The source ended early.
    case incomplete([MirrorState.SourceDefectCount], Remainder)
    /// The copy was stopped.
    case stopped(Remainder)
    /// The copy is not made anew, though the source has changed since or is gone.
    case old(MirrorState, isGone: Bool)
    /// The source has less than half the rows that it had before; those of before are shown.
    case smaller(SmallerSource)
    /// The source could not be read.
    case failed(ConnectorFailure)
    /// What the server has sent is not a catalog.
    case unreadable(CatalogError)
    /// The server asks for a user and password that nobody has given; the copy of this date, in seconds since 1970, is
    /// shown, if there is one.
    case passwordNeeded(CredentialQuestion, copied: Int?)
    /// The server of the source could not be asked, or refused; the copy of this date, in seconds since 1970, is shown.
    case unreachable(ConnectorFailure, copied: Int)
    /// The source is as it was, though the reader asked for it again.
    case unchanged

    /// What is shown of a source of which there is no whole copy as it is now.
    public enum Remainder: Hashable, Sendable {
        /// So many rows, which came before its end.
        case rows(Int)
        /// The last whole copy, which was made at this time, in seconds since 1970.
        case copy(of: Int)
        /// Nothing.
        case nothing
    }

    /// Whether it tells of a copy that is being made.
    var isOfProgress: Bool {
        if case .connecting = self { return true }
        return self == .copying || self == .copyingAgain
    }
}

/// A source with less than half the rows of its last copy.
public struct SmallerSource: Hashable, Sendable {
    /// The number of its rows.
    public var rows: Int
    /// The number of rows of the copy.
    public var before: Int

    /// Creates the description of a source.
    public init(rows: Int, before: Int) { (self.rows, self.before) = (rows, before) }
}

extension MirrorState {
    /// What the reader should know of a complete copy.
    var news: MirrorNews? { rows == 0 ? .empty(self) : defects.isEmpty && otherTables.isEmpty ? nil : .complete(self) }
}
