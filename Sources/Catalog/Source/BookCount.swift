/// How many books a source has, as far as it can tell.
public enum BookCount: Hashable, Sendable {
    /// So many.
    case exactly(Int)
    /// So many are known, and there may be more.
    case atLeast(Int)
    /// About so many.
    case about(Int)
    /// Not known yet.
    case unknown

    /// How many books are known to be there.
    public var known: Int {
        switch self {
        case .exactly(let count), .atLeast(let count), .about(let count): count
        case .unknown: 0
        }
    }

    /// Whether more books may follow those that are known.
    public var isOpen: Bool {
        switch self {
        case .exactly, .about: false
        case .atLeast, .unknown: true
        }
    }

    /// How many rows a table has: one more than is known where more may follow, as a placeholder for them.
    public var displayed: Int { known + (isOpen ? 1 : 0) }
}
