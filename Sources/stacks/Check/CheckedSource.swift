internal import Catalog
internal import ConnectorProtocol
internal import Library
internal import Remote
internal import Storage

/// The file that a checked copy was made of.
struct CheckedSource {
    private let directory: MirrorDirectory
    /// The state of the last complete copy; nil if there is none.
    private let state: MirrorState?
    private let directories: Directories

    /// Describes the source of a copy.
    init(of mirror: MirroredCatalog, in directories: Directories) {
        (directory, self.directories) = (mirror.directory, directories)
        state = mirror.directory.state
    }

    /// The name of the format, if it is known.
    var format: String? { state.map { Self.formatNames[$0.kind] ?? $0.kind } }

    private static let formatNames = [
        "csv": "CSV", "tsv": "TSV", "sqlite": "SQLite", "marc": "MARC", "marcxml": "MARCXML", "mods": "MODS",
        "opds": "OPDS", "bibtex": "BibTeX", "biblatex": "BibLaTeX", "ris": "RIS", "endnote": "EndNote",
        "endnote-xml": "EndNote XML", "isi": "ISI", "json": "JSON",
    ]

    /// The encoding of the text, if it is known and not UTF-8.
    var encoding: String? { state?.encoding ?? state?.detectedEncoding }

    /// The defects of the rows.
    var defects: [MirrorState.SourceDefectCount] { state?.defects ?? [] }

    /// The number of rows that are not in the copy.
    var skippedCount: Int { defects.reduce(0) { $0 + ($1.isSkipped ? $1.count : 0) } }

    /// Returns the places of rows of the copy, whose numbers count from 0.
    func locations(of rows: [Int]) -> [Int: CheckReport.Location] {
        var locations = Dictionary(
            rows.map { ($0, CheckReport.Location(record: $0 + 1)) }, uniquingKeysWith: { first, _ in first })
        guard let program = ConnectorProgram(in: directories.withSomeCache),
            let places = try? directory.places(of: Array(locations.keys).sorted(), with: program)
        else { return locations }
        for (row, place) in places {
            switch place {
            case .line(let line): locations[row]?.line = line
            case .record(let number): locations[row]?.record = number
            case .offset(let offset): locations[row]?.byteOffset = offset
            }
        }
        let offsets = offsets(ofLines: Set(locations.values.compactMap(\.line)))
        for (row, location) in locations {
            guard let line = location.line else { continue }
            locations[row]?.byteOffset = offsets[line]
        }
        return locations
    }

    /// Returns the offsets of lines in the file; none if its bytes are not those of the text.
    private func offsets(ofLines lines: Set<Int>) -> [Int: Int] {
        guard !lines.isEmpty, let file = try? RandomAccessInput(directory.source),
            case .other? = try? FileContent(of: file)
        else { return [:] }
        var offsets: [Int: Int] = lines.contains(1) ? [1: 0] : [:]
        var (line, place) = (1, 0)
        while offsets.count < lines.count, let bytes = try? file.bytes(in: place..<place + 1 << 18), !bytes.isEmpty {
            for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
                line += 1
                if lines.contains(line) { offsets[line] = place + index + 1 }
            }
            place += bytes.count
        }
        return offsets
    }
}
