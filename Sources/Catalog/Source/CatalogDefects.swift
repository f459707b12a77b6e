public import JSON
public import Storage

/// The problems found while reading a catalog.
public struct CatalogDefects: Hashable, Sendable {
    /// The number of skipped values that are not books, plus malformed lines.
    public var omissionCount: Int
    /// The first skipped values, some of each kind.
    public var omissions: [Omission]
    /// Whether any line is malformed.
    public var hasMalformedLines: Bool
    /// The number of malformed lines; 0 if the index came from the cache.
    public var malformedLineCount: Int
    /// The syntax error at which reading ended.
    public var syntaxError: SyntaxError?

    /// The I/O error at which reading ended.
    public var failure: Failure?

    /// A value that was skipped.
    public struct Omission: Hashable, Sendable {
        /// The syntax error of a malformed line; nil for a value that is not a book.
        public var reason: JSONSyntaxError.Reason?
        /// The position of the value or syntax error.
        public var position: TextPosition

        /// Creates an omission at `position`.
        public init(reason: JSONSyntaxError.Reason? = nil, position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// An I/O error at which reading ended.
    public struct Failure: Hashable, Sendable {
        /// The error.
        public var error: FileError
        /// The number of bytes read before the error.
        public var byteOffset: Int

        /// Creates a failure after `byteOffset` bytes.
        public init(_ error: FileError, byteOffset: Int) {
            self.error = error
            self.byteOffset = byteOffset
        }
    }

    /// A syntax error at which reading ended.
    public struct SyntaxError: Hashable, Sendable {
        /// The reason of the error.
        public var reason: JSONSyntaxError.Reason
        /// The position of the error.
        public var position: TextPosition

        /// Creates an error at `position`.
        public init(_ reason: JSONSyntaxError.Reason, at position: TextPosition) {
            self.reason = reason
            self.position = position
        }
    }

    /// Creates a set of problems, by default none.
    public init(
        omissionCount: Int = 0, omissions: [Omission] = [],
        hasMalformedLines: Bool = false, malformedLineCount: Int = 0, syntaxError: SyntaxError? = nil,
        failure: Failure? = nil
    ) {
        self.omissionCount = omissionCount
        self.omissions = omissions
        self.hasMalformedLines = hasMalformedLines
        self.malformedLineCount = malformedLineCount
        self.syntaxError = syntaxError
        self.failure = failure
    }

    /// Whether the whole file, or each of its lines, is valid JSON.
    public var isWellFormed: Bool { syntaxError == nil && failure == nil && !hasMalformedLines }

    /// Whether there are no problems.
    public var isEmpty: Bool { omissionCount == 0 && syntaxError == nil && failure == nil }
}
