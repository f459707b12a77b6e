internal import CBrotli
internal import ConnectorProtocol

/// Decompresses Brotli (RFC 7932). Only the response header shows that content is in Brotli: the format has no magic
/// number.
final class BrotliBytes: ByteSource {
    private let source: any ByteSource
    private let decoder: OpaquePointer?
    private var input: [UInt8] = []
    private var used = 0
    private var isAtEnd = false
    private var limit = ExpansionLimit()

    private(set) var isCut = false

    /// Creates a stream that decompresses `source`.
    init(_ source: any ByteSource) {
        self.source = source
        decoder = BrotliDecoderCreateInstance(nil, nil, nil)
    }

    deinit { BrotliDecoderDestroyInstance(decoder) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        guard let decoder else { throw ConnectorFailure(.helper, detail: "brotli") }
        while !isAtEnd {
            if used == input.count, BrotliDecoderHasMoreOutput(decoder) == BROTLI_FALSE {
                input = try source.read(upTo: 1 << 16)
                used = 0
                if input.isEmpty {
                    (isAtEnd, isCut) = (true, true)
                    return 0
                }
            }
            let (result, inputCount, outputCount) = input[used...].withUnsafeBufferPointer { bytes in
                var from = bytes.baseAddress
                var to = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                var (inputRest, outputRest) = (bytes.count, buffer.count)
                let result = BrotliDecoderDecompressStream(decoder, &inputRest, &from, &outputRest, &to, nil)
                return (result, bytes.count - inputRest, buffer.count - outputRest)
            }
            used += inputCount
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: isAtEnd = true
            case BROTLI_DECODER_RESULT_ERROR: (isAtEnd, isCut) = (true, true)
            default: break
            }
            try limit.add(input: inputCount, output: outputCount)
            if outputCount > 0 { return outputCount }
        }
        return 0
    }
}
