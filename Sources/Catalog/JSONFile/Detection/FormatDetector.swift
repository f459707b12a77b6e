internal import Books
internal import JSON

/// The detected format of a catalog: the location of its records, their arrangement, and the profile that reads them.
enum FormatDetector: Equatable {
    /// The text contains records.
    case records(Found)
    /// The text is JSON but not a catalog.
    case nothing(CatalogError.Content)
    /// The text is not JSON.
    case syntaxError(JSONSyntaxError)
    /// The text contains only white space.
    case empty
    /// The detection needs more of the text.
    case undecided

    /// The location of the records.
    struct Found: Equatable {
        /// The arrangement of the records.
        var shape: CatalogShape
        /// The offset at which the array, object or first line with records begins.
        var offset: Int
        /// The paths of all records.
        var records: RecordPaths
        /// The same paths in JSONPath syntax.
        var recordPaths: [FieldPath]
        /// The name of the profile that reads the records.
        var profile: String
        /// The first records, if the profile was recognized by them.
        var sample: [JSONValue] = []
    }

    /// Detects the format of a text from its beginning in `reader`; `isWhole` says whether this is the whole text. With
    /// a `profile` only its records are searched, without one every possible catalog. `isLines` says that each line is
    /// a record, even the only one; a text without lines has no books then.
    init(
        of reader: JSONReader, isWhole: Bool, isLines: Bool = false, profile: Profile? = nil,
        library: ProfileLibrary = ProfileLibrary(directory: nil)
    ) {
        var reader = reader
        if reader.bytes(of: 0..<reader.count).starts(with: [0xEF, 0xBB, 0xBF]) { reader.move(to: 3) }
        let detection = FormatDetection(reader: reader, isWhole: isWhole, library: library)
        switch reader.peek() {
        case nil where isLines && isWhole: self = detection.openingOfKnownLines(by: profile)
        case nil: self = isWhole ? .empty : .undecided
        case UInt8(ascii: "{") where isLines: self = detection.openingOfKnownLines(by: profile)
        case UInt8(ascii: "["): self = profile.map(detection.opening(ofArrayBy:)) ?? detection.openingOfArray
        case UInt8(ascii: "{"):
            self =
                detection.openingOfLines(by: profile) ?? profile.map(detection.opening(by:))
                ?? detection.openingOfObject
        default: self = detection.openingOfScalar
        }
    }
}

extension FormatDetector.Found {
    /// Records whose profile is recognized by the first of them.
    init(
        shape: CatalogShape, offset: Int, records: RecordPaths, recordPaths: [FieldPath], sample: [JSONValue],
        isTable: Bool = false
    ) {
        self.init(
            shape: shape, offset: offset, records: records, recordPaths: recordPaths,
            profile: ProfileRecognition.profile(of: sample, isTable: isTable), sample: sample)
    }
}
