internal import CZlib
internal import CZstd
internal import ConnectorProtocol

/// The supported compression formats.
enum Compression: String {
    case gzip, zstd

    /// Detects the compression of a file by its first bytes.
    init?(of prefix: [UInt8]) {
        if prefix.starts(with: [0x1F, 0x8B, 0x08]) {
            self = .gzip
        } else if prefix.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else {
            return nil
        }
    }

    /// Returns the decompressed stream of `source`.
    func decompressed(_ source: any ByteSource) -> any ByteSource {
        switch self {
        case .gzip: GzipBytes(source)
        case .zstd: ZstdBytes(source)
        }
    }
}

/// The content of a gzip file, of one or more members. The content is complete if the last member has its trailer.
private final class GzipBytes: ByteSource {
    private let source: any ByteSource
    private var stream = z_stream()
    private let isReady: Bool
    private var input: [UInt8] = []
    private var used = 0
    private var isWithinMember = true
    private var isAtEnd = false
    private var limit = ExpansionLimit()

    private(set) var isCut = false

    init(_ source: any ByteSource) {
        self.source = source
        isReady = cz_inflate_gzip(&stream) == Z_OK
    }

    deinit { inflateEnd(&stream) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        guard isReady else { throw ConnectorFailure(.helper, detail: "zlib") }
        while !isAtEnd {
            if used == input.count {
                input = try source.read(upTo: 1 << 16)
                used = 0
            }
            if input.isEmpty {
                isAtEnd = true
                isCut = isWithinMember
                return 0
            }
            if !isWithinMember {
                // The next member begins with 0x1F; other bytes are padding.
                guard input[used] == 0x1F else {
                    isAtEnd = true
                    return 0
                }
                inflateReset(&stream)
                isWithinMember = true
            }
            let (code, inputCount, outputCount) = input[used...].withUnsafeBufferPointer { bytes in
                stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                stream.avail_in = UInt32(bytes.count)
                stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(clamping: buffer.count)
                let code = inflate(&stream, Z_NO_FLUSH)
                return (code, bytes.count - Int(stream.avail_in), buffer.count - Int(stream.avail_out))
            }
            used += inputCount
            switch code {
            case Z_STREAM_END: isWithinMember = false
            case Z_OK, Z_BUF_ERROR: break
            default:
                // Damage ends the stream like a cut; the data before it counts.
                isAtEnd = true
                isCut = true
            }
            try limit.add(input: inputCount, output: outputCount)
            if outputCount > 0 { return outputCount }
        }
        return 0
    }
}

/// The content of a zstd file, of one or more frames. The content is complete if the last frame is.
private final class ZstdBytes: ByteSource {
    private let source: any ByteSource
    private let stream: OpaquePointer?
    private var input: [UInt8] = []
    private var used = 0
    private var isWithinFrame = true
    private var isAtEnd = false
    private var limit = ExpansionLimit()

    private(set) var isCut = false

    /// The largest window of `zstd --long=27`, which needs 128 MiB; larger ones are refused.
    private static let windowLog: Int32 = 27

    init(_ source: any ByteSource) {
        self.source = source
        stream = ZSTD_createDCtx()
        ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLog)
    }

    deinit { ZSTD_freeDCtx(stream) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectorFailure) -> Int {
        while !isAtEnd {
            if used == input.count {
                input = try source.read(upTo: 1 << 16)
                used = 0
                if input.isEmpty {
                    // The rest of a frame may still be in the decompressor.
                    isAtEnd = !isWithinFrame
                }
            }
            if isAtEnd { return 0 }
            let (result, inputCount, outputCount) = input[used...].withUnsafeBytes { bytes in
                var from = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                var to = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
                let result = ZSTD_decompressStream(stream, &to, &from)
                return (result, from.pos, to.pos)
            }
            used += inputCount
            if ZSTD_isError(result) != 0 {
                isAtEnd = true
                isCut = true
                if ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge {
                    throw ConnectorFailure(.refused, .tooLarge)
                }
            } else {
                isWithinFrame = result != 0
            }
            try limit.add(input: inputCount, output: outputCount)
            if outputCount > 0 { return outputCount }
            if input.isEmpty {
                isAtEnd = true
                isCut = isWithinFrame
            }
        }
        return 0
    }
}
