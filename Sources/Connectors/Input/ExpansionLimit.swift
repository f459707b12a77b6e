internal import ConnectorProtocol

/// Stops compressed files that expand to far more than any text does.
struct ExpansionLimit {
    private var input = 0
    private var output = 0

    /// Text of books is compressed to a third, tables of repeated values to a fiftieth.
    private static let ratio = 200
    /// The size that is exempt from the ratio: a single value of hundreds of megabytes costs only its row.
    private static let allowance = 256 << 20

    /// Counts the bytes of a step.
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
