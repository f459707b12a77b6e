internal import ConnectorProtocol

/// Rejects compressed files whose content is far larger than that of any text.
struct ExpansionLimit {
    private var input = 0
    private var output = 0

    /// Text compresses to about a third, tables of repeated values to a fiftieth.
    private static let ratio = 200
    /// The size up to which the ratio is not checked: a single value of hundreds of megabytes only makes its row
    /// invalid.
    private static let allowance = 256 << 20

    /// Adds the bytes of one step.
    ///
    /// - Throws: `ConnectorFailure` if the content is far larger than its compressed form allows.
    mutating func add(input: Int, output: Int) throws(ConnectorFailure) {
        self.input += input
        self.output += output
        if self.output > Self.allowance, self.output / Self.ratio > self.input {
            throw ConnectorFailure(.refused, .tooLarge, at: .offset(self.input))
        }
    }
}
