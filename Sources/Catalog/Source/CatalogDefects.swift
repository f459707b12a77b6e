public import JSON
public import Storage

/// What of a catalog could not be read.
public struct CatalogDefects: Hashable, Sendable {
    /// How many values stood among the records that are no books, and how many lines that are no JSON.
    public var omissionCount: Int
    /// The first of them, of those that are JSON and those that are none some each.
    public var omissions: [Omission]
    /// Whether any line is no JSON, the first that was left out or another.
    public var hasMalformedLines: Bool
    /// How many of the values that were left out are such lines, where the catalog was read now and is not known from before.
    public var malformedLineCount: Int
    /// Where reading ended before the file did, and why.
    public var fault: Fault?

    /// Why the file could not be read to its end.
    public var failure: Failure?

    /// A value that was left out.
    public struct Omission: Hashable, Sendable {
        /// Why it is no JSON; nil where it is.
        public var reason: JSONSyntaxError.Reason?
        /// Where it is.
        public var position: TextPosition

        /// The omission at `position`.
        public init(reason: JSONSyntaxError.Reason? = nil, position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// A place behind which the file could not be read.
    public struct Failure: Hashable, Sendable {
        /// Why.
        public var error: FileError
        /// Up to where it was read, in bytes.
        public var byteOffset: Int

        /// The failure at `byteOffset`.
        public init(_ error: FileError, byteOffset: Int) {
            self.error = error
            self.byteOffset = byteOffset
        }
    }

    /// A place at which reading ended.
    public struct Fault: Hashable, Sendable {
        /// Why.
        public var reason: JSONSyntaxError.Reason
        /// Where.
        public var position: TextPosition

        /// The fault at `position`.
        public init(_ reason: JSONSyntaxError.Reason, at position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// No defects, unless some are given.
    public init(
        omissionCount: Int = 0, omissions: [Omission] = [],
        hasMalformedLines: Bool = false, malformedLineCount: Int = 0, fault: Fault? = nil, failure: Failure? = nil
    ) {
        self.omissionCount = omissionCount
        self.omissions = omissions
        self.hasMalformedLines = hasMalformedLines
        self.malformedLineCount = malformedLineCount
        self.fault = fault
        self.failure = failure
    }

    /// Whether all of it is JSON, or each of its lines is.
    public var isWellFormed: Bool { fault == nil && failure == nil && !hasMalformedLines }

    /// Whether the catalog is whole.
    public var isEmpty: Bool { omissionCount == 0 && fault == nil && failure == nil }
}
