internal import ConnectorProtocol
internal import Glibc
internal import Pictures

/// Makes the picture of a cover for a place on the screen.
struct CoverMaker {
    private let request: CoverRequest

    /// Creates the maker for a request.
    init(_ request: CoverRequest) { self.request = request }

    /// The memory that decoding may take, with that of the program itself, in bytes. A small file can make a library take
    /// far more than its pixels need.
    static let memoryLimit: UInt64 = 160 << 20
    /// The maximum size of a file in bytes.
    private static let fileLimit = PictureLimits.fileSize
    /// The size of a thumbnail: the largest place on the screen seldom has more pixels.
    private static let thumbnailSize = PixelSize(width: 320, height: 480)
    /// The quality of a thumbnail, of 100.
    private static let thumbnailQuality = 85.0
    /// The maximum length of a PNG file or sixel sequence in bytes, so that its message is below `MessageLines.limit`.
    private static let pixelBytesLimit = 700 << 10

    /// Makes the picture.
    ///
    /// - Throws: `ConnectorFailure` of the kind `format` or `refused` for the picture, `helper` for the cache.
    func picture() throws(ConnectorFailure) -> CoverPicture {
        let bytes = try Self.file(at: request.path)
        do throws(PictureFailure) {
            return try picture(of: bytes)
        } catch {
            switch error {
            case .unknownFormat, .animated: throw ConnectorFailure(.format, .unknownFormat)
            case .tooManyPixels, .tooManyBytes, .noMemory: throw ConnectorFailure(.refused, .tooLarge)
            case .broken: throw ConnectorFailure(.format, .damaged)
            }
        }
    }

    private func picture(of bytes: [UInt8]) throws(PictureFailure) -> CoverPicture {
        var bitmap = try Bitmap(decoding: bytes, fitting: Self.thumbnailSize)
        let size = bitmap.size.fitted(into: Self.thumbnailSize)
        // A transparent cover lies on paper, whatever the colour of the terminal.
        bitmap = try bitmap.scaled(to: size).onBackground(red: 255, green: 255, blue: 255)
        if let path = request.thumbnail { try? writeFile(try bitmap.webP(quality: Self.thumbnailQuality), to: path) }
        let frame = request.frame
        let (columns, rows) = cellSize(of: bitmap)
        let cells = try bitmap.cells(
            columns: columns, rows: rows, colours: frame.hasDirectColours ? .direct : .indexed)
        var picture = CoverPicture(
            columns: columns, rows: rows,
            cells: cells.map { cell in
                let symbol = CoverPicture.symbols.firstIndex(of: cell.symbol) ?? 0
                return .init(
                    symbol: UInt8(symbol), foreground: cell.foreground, background: cell.background)
            })
        let place = PixelSize(width: columns * frame.cellWidth, height: rows * frame.cellHeight)
        switch frame.form {
        case .cells: break
        case .png: picture.pixels = try bitmap.scaled(to: size.fitted(into: place)).png()
        case .sixel: picture.pixels = try bitmap.sixel(to: place)
        }
        if picture.pixels.count > Self.pixelBytesLimit { picture.pixels = [] }
        return picture
    }

    /// Returns the width and height in cells that a picture has in the place, as near to its own proportions as cells
    /// allow.
    private func cellSize(of bitmap: Bitmap) -> (columns: Int, rows: Int) {
        let frame = request.frame
        let (width, height) = (Double(bitmap.width), Double(bitmap.height))
        let (cellWidth, cellHeight) = (Double(frame.cellWidth), Double(frame.cellHeight))
        let scale = min(Double(frame.columns) * cellWidth / width, Double(frame.rows) * cellHeight / height)
        func count(_ length: Double, _ limit: Int) -> Int { min(limit, max(1, Int((length * scale).rounded()))) }
        return (count(width / cellWidth, frame.columns), count(height / cellHeight, frame.rows))
    }

    private static func file(at path: String) throws(ConnectorFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .cannotRead(path) }
        defer { close(descriptor) }
        guard let state = FileState(descriptor: descriptor), state.isRegular else {
            throw ConnectorFailure(.unsupported, .notAFile, subject: path)
        }
        guard state.size <= fileLimit else { throw ConnectorFailure(.refused, .tooLarge) }
        var (bytes, count) = ([UInt8](repeating: 0, count: state.size), 0)
        while count < bytes.count {
            let added = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
            }
            if added < 0, errno == EINTR { continue }
            guard added > 0 else { break }
            count += added
        }
        return Array(bytes[..<count])
    }
}
