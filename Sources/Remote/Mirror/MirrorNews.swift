public import Catalog
public import ConnectorProtocol

/// News about the copy of a source for the user.
public enum MirrorNews: Hashable, Sendable {
    /// The copy is up to date, but rows are missing or were read with difficulty, or there are other tables.
    case complete(MirrorState)
    /// The source has no books.
    case empty(MirrorState)
    /// The copy is complete; its text is in this encoding, which was detected.
    case readAs(encoding: String)
    /// The server of this host was asked for the first time and has not responded yet.
    case connecting(host: String)
    /// The source is copied for the first time, and its rows are shown as they arrive.
    case copying
    /// The source is copied again at the user's request.
    case copyingAgain
    /// The copy, whose progress was reported, is complete; it has this number of rows.
    case copied(rowCount: Int)
    /// The source ended early.
    case incomplete([MirrorState.SourceDefectCount], Remainder)
    /// The copy was stopped.
    case stopped(Remainder)
    /// The copy is not updated, although the source has changed or is gone.
    case old(MirrorState, isGone: Bool)
    /// The source has less than half of its former rows; the former ones are shown.
    case smaller(SmallerSource)
    /// The source could not be read.
    case failed(ConnectorFailure)
    /// The response of the server is not a catalog.
    case unreadable(CatalogError)
    /// The server requires a user and password that are unknown; the copy of this time, in seconds since 1970, is
    /// shown, if any.
    case passwordNeeded(CredentialQuestion, copied: Int?)
    /// The server of the source cannot be reached or refuses the request; the copy of this time, in seconds since 1970,
    /// is shown.
    case unreachable(ConnectorFailure, copied: Int)
    /// The source is unchanged, although the user requested a new copy.
    case unchanged

    /// The displayed part of a source without a complete copy of its current state.
    public enum Remainder: Hashable, Sendable {
        /// The rows received before the end: this number.
        case rows(Int)
        /// The last complete copy, made at this time, in seconds since 1970.
        case copy(of: Int)
        /// No rows.
        case nothing
    }

    /// Whether it reports a running copy.
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
    /// The news about a complete copy, if any.
    var news: MirrorNews? { rows == 0 ? .empty(self) : defects.isEmpty && otherTables.isEmpty ? nil : .complete(self) }

    /// The news about a complete copy when it has just been made, if any.
    public var newsOfCopy: MirrorNews? { news ?? detectedEncoding.map { .readAs(encoding: $0) } }
}
