internal import Books
internal import JSON

/// Texts with a record in each line.
extension FormatDetection {
    private typealias Line = Slice<UnsafeBufferPointer<UInt8>>

    /// Returns the format of a text with one object per line, or nil if the text is not of that kind.
    func openingOfLines(by profile: Profile?) -> FormatDetector? {
        let (first, second) = firstLines
        guard Self.isObject(first), second.first == UInt8(ascii: "{") else { return nil }
        return lines(by: profile, isTable: false)
    }

    /// Returns the format of a text whose lines are known to be records.
    func openingOfKnownLines(by profile: Profile?) -> FormatDetector {
        let hasLine = isWhole || reader.bytes(of: start..<reader.count).contains(0x0A)
        return hasLine || reader.count >= Self.searchLimit ? lines(by: profile, isTable: true) : .undecided
    }

    private func lines(by profile: Profile?, isTable: Bool) -> FormatDetector {
        let bytes = reader.bytes(of: start..<reader.count)
        let sample = bytes.split(separator: 0x0A, maxSplits: Self.sampleCount).prefix(Self.sampleCount)
            .compactMap { JSONValue(parsing: $0) }.filter { $0.members != nil }
        var found = FormatDetector.Found(
            shape: .lines, offset: start, records: RecordPaths([]), recordPaths: [], sample: sample,
            isTable: isTable)
        if let profile { (found.profile, found.sample) = (profile.name, []) }
        if profile == nil, found.profile == ProfileRecognition.native, Self.areEvents(sample.map(\.bookTraits)) {
            return .nothing(.jsonLines)
        }
        return .records(found)
    }

    /// The first two non-blank lines, each from its first token; empty if missing.
    private var firstLines: (Line, Line) {
        var rest = reader.bytes(of: start..<reader.count)[...]
        func next() -> Line {
            rest = rest.drop { $0.isJSONWhitespace }
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count)
            return line
        }
        return (next(), next())
    }

    /// Whether `line` is a single object.
    private static func isObject(_ line: Line) -> Bool {
        line.first == UInt8(ascii: "{")
            && JSONReader.reading(line) { reader in
                (try? reader.skipValue()) != nil && (try? reader.readEnd()) != nil
            }
    }

    /// Whether the object at the beginning of `line` has a title.
    private static func isTitled(_ line: Line) -> Bool {
        JSONReader.reading(line) { $0.readBeginning(sampleCount: sampleCount) }?.isTitled ?? false
    }

    /// The format of a text of lines with a malformed line among valid ones, or nil if it does not consist of lines.
    var linesWithErrors: FormatDetector? {
        let (first, second) = firstLines
        let isFirst = Self.isObject(first) && !second.isEmpty && Self.isTitled(first)
        let isSecond = second.first == UInt8(ascii: "{") && Self.isObject(second) && Self.isTitled(second)
        return isFirst || isSecond ? lines(by: nil, isTable: false) : nil
    }
}
