/// What the segments of a JPEG before its pixels say, and TurboJPEG does not tell.
struct JPEGHeader {
    /// The number that EXIF has for the sides of the camera, 1 to 8; 1 if the picture is upright.
    private(set) var orientation = 1
    /// Whether the file has Adobe's segment: its CMYK is stored inverted, 255 for no ink.
    private(set) var isAdobe = false
    /// Whether all components come in one scan, so that the decoder need not hold the coefficients of the whole picture.
    private(set) var isOneScan = false

    /// Follows the segments up to the first scan. What is not as the standard (ITU-T T.81, annex B) wants it ends the
    /// reading, with `isOneScan` false, which is the careful answer.
    init(_ bytes: [UInt8]) {
        // Behind the marker that starts the file.
        var rest = bytes.dropFirst(2)
        var componentCount: UInt8?
        while rest.count >= 4, rest.removeFirst() == 0xFF {
            while rest.first == 0xFF { rest.removeFirst() }
            // Markers without a segment have no place here. Decoders step over them, and over other bytes: a file could
            // show them other segments than those read here.
            guard let marker = rest.popFirst(), marker >= 0xC0, !(0xD0...0xD9).contains(marker),
                let size = rest.integer(at: 0, size: 2), size >= 2, size <= rest.count
            else { return }
            let content = rest.prefix(size).dropFirst(2)
            rest = rest.dropFirst(size)
            switch marker {
            // Baseline and sequential frames; those of other numbers are progressive or arithmetic.
            case 0xC0, 0xC1: componentCount = content.dropFirst(5).first
            case 0xE1: orientation = Self.orientation(in: content) ?? orientation
            case 0xEE: isAdobe = isAdobe || content.starts(with: "Adobe".utf8)
            case 0xDA:
                isOneScan = componentCount != nil && content.first == componentCount
                return
            default: break
            }
        }
    }

    /// The orientation in a segment of EXIF: a TIFF file whose first directory has it under the number 0x112.
    private static func orientation(in segment: ArraySlice<UInt8>) -> Int? {
        guard segment.starts(with: "Exif\0\0".utf8) else { return nil }
        let tiff = segment.dropFirst(6)
        let isLittle = tiff.starts(with: "II".utf8)
        guard isLittle || tiff.starts(with: "MM".utf8),
            let start = tiff.integer(at: 4, size: 4, isLittle: isLittle),
            let count = tiff.integer(at: start, size: 2, isLittle: isLittle)
        else { return nil }
        for entry in 0..<count {
            // A number, a type, a count, and the value at the start of four bytes.
            let offset = start + 2 + 12 * entry
            guard let tag = tiff.integer(at: offset, size: 2, isLittle: isLittle) else { return nil }
            guard tag == 0x112 else { continue }
            let value = tiff.integer(at: offset + 8, size: 2, isLittle: isLittle)
            return value.flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// The unsigned integer of at most four bytes at an offset from the start, or nil if it is not within the bytes.
    fileprivate func integer(at offset: Int, size: Int, isLittle: Bool = false) -> Int? {
        guard offset <= count - size else { return nil }
        return (0..<size).reduce(0) { value, place in
            value << 8 | Int(self[startIndex + offset + (isLittle ? size - 1 - place : place)])
        }
    }
}
