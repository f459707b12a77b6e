/// A segment that is kept whole, or parts of segments that are joined when its memory is needed.
public enum JoinedSegment: StorableSegment, Sendable {
    case whole(IndexSegment)
    case parts([IndexSegment.Part])

    /// The segment. Linear in its memory if it consists of parts.
    public var segment: IndexSegment {
        switch self {
        case .whole(let segment): segment
        case .parts(let parts): IndexSegment(joining: parts)
        }
    }

    /// The layout of its memory.
    public var layout: IndexSegment.Layout {
        switch self {
        case .whole(let segment): segment.layout
        case .parts(let parts): IndexSegment.layout(joining: parts)
        }
    }

    /// The number of bytes of its memory.
    public var byteCount: Int {
        switch self {
        case .whole(let segment): segment.byteCount
        case .parts(let parts): IndexSegment.byteCount(joining: parts)
        }
    }

    /// Calls `body` with its memory, which is freed afterwards if it consists of parts.
    public func withMemory<Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try segment.withMemory(body)
    }
}

/// A segment whose memory can be stored in a file.
public protocol StorableSegment {
    /// The layout of its memory.
    var layout: IndexSegment.Layout { get }
    /// The number of bytes of its memory.
    var byteCount: Int { get }
    /// Calls `body` with its memory in one piece.
    func withMemory<Failure>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure)
}
