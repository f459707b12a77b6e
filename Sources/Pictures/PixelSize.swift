/// The width and height of a picture in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// A size of any numbers; a picture has at least one pixel in each direction.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The greatest size with the same ratio of width to height that fits into a box, rounded to whole pixels, at least
    /// 1 by 1. Without `enlarging`, it is at most this size.
    public func fitted(into box: PixelSize, enlarging: Bool = false) -> PixelSize {
        guard width > 0, height > 0 else { return PixelSize(width: 1, height: 1) }
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        if scale >= 1, !enlarging { return self }
        // A box may be empty, and a number beyond an Int would trap.
        func scaled(_ length: Int, into limit: Int) -> Int {
            let scaled = (Double(length) * scale).rounded()
            return scaled < Double(limit) ? max(1, Int(scaled)) : max(1, limit)
        }
        return PixelSize(width: scaled(width, into: box.width), height: scaled(height, into: box.height))
    }

    /// The number of pixels, or nil if there are none or more than the number: sizes in files can be of any numbers.
    func count(atMost limit: Int) -> Int? {
        guard width > 0, height > 0, width <= limit, height <= limit / width else { return nil }
        return width * height
    }

    /// The size after a quarter turn.
    var turned: PixelSize { PixelSize(width: height, height: width) }

    /// The size divided by a number, rounded up as TurboJPEG does.
    func divided(by divisor: Int) -> PixelSize {
        PixelSize(width: (width + divisor - 1) / divisor, height: (height + divisor - 1) / divisor)
    }

    /// Whether another size is not greater in any direction.
    func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }
}
