/// The number of books in a source, as precisely as it is known.
public enum BookCount: Hashable, Sendable {
    /// Exactly this many.
    case exactly(Int)
    /// At least this many; more may follow.
    case atLeast(Int)
    /// About this many.
    case about(Int)
    /// Unknown so far.
    case unknown

    /// The number of books that are known to exist.
    public var known: Int {
        switch self {
        case .exactly(let count), .atLeast(let count), .about(let count): count
        case .unknown: 0
        }
    }

    /// Whether more books may follow the known ones.
    public var isOpen: Bool {
        switch self {
        case .exactly, .about: false
        case .atLeast, .unknown: true
        }
    }

    /// The number of rows to display, including a placeholder if more books may follow.
    public var displayed: Int { known + (isOpen ? 1 : 0) }
}
