internal import Books
internal import Catalog
internal import Indexing
internal import JSON
internal import Storage

/// A sample of the records of a catalog, for catalogs that no profile can read yet.
struct RecordSample: Equatable {
    /// The sampled records, at most `sampleCount`, evenly distributed over the catalog.
    let records: [JSONValue]
    /// The number of all records.
    let count: Int
    /// The paths of the records.
    let paths: [FieldPath]
    /// The format if a known profile can read the records.
    let format: CatalogFormat?

    /// The maximum number of sampled records.
    static let sampleCount = 1000
    /// The maximum size in bytes of a text that is loaded completely.
    private static let longestText = 1 << 28

    /// The reason why there is no sample.
    enum Refusal: Error, Hashable {
        /// The catalog cannot be opened.
        case catalog(CatalogError)
        /// There are no objects at this path.
        case nothing(at: FieldPath)
        /// The text is too long to search, and no known format was detected.
        case tooLong
        /// The file changed while it was read.
        case changed
    }

    /// Samples the catalog at `path`: the objects at `recordPath` if given, else the detected records or the objects
    /// that resemble books most.
    ///
    /// - Throws: `Refusal` if there are no records.
    init(ofCatalogAt path: String, at recordPath: FieldPath? = nil) throws(Refusal) {
        var refusal = CatalogError.empty(path: RandomAccessInput.shownPath(path))
        if recordPath == nil {
            let catalog = JSONFileCatalog(path: path)
            do throws(CatalogError) {
                try catalog.open()
            } catch {
                refusal = error
            }
            if let format = catalog.format {
                guard let found = RecordSample(of: catalog) else { throw .changed }
                // Records that were found only as the largest group may be part of better ones.
                let better = format.isFoundBySearch && path != "-" ? Self.searched(path) : nil
                if let better, better.paths != found.paths,
                    Self.quality(of: better.records) > 1.3 * Self.quality(of: found.records)
                {
                    self = better
                } else {
                    self = found
                }
                return
            }
            guard case .notACatalog(_, let content) = refusal, content != .scalar, path != "-" else {
                throw .catalog(refusal)
            }
        }
        let whole: [UInt8]?
        do throws(FileError) {
            whole = try RandomAccessInput(path).text(upTo: Self.longestText)
        } catch {
            throw .catalog(.unreadable(error))
        }
        guard let bytes = whole else { throw .tooLong }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if let root = JSONValue(parsing: text) {
            guard let found = RecordSample(in: root, at: recordPath) else {
                if let recordPath { throw .nothing(at: recordPath) }
                throw .catalog(refusal)
            }
            self = found
        } else {
            let lines = text.split(separator: 0x0A).compactMap { JSONValue(parsing: $0) }.filter { $0.members != nil }
            if lines.isEmpty { throw recordPath.map(Refusal.nothing) ?? .catalog(refusal) }
            self.init(lines, at: [.everyElement])
        }
    }

    /// Returns the objects of a file that resemble books most, or nil if there are none or the file is too long.
    private static func searched(_ path: String) -> RecordSample? {
        guard let bytes = try? RandomAccessInput(path).text(upTo: longestSearch), let root = JSONValue(parsing: bytes)
        else {
            return nil
        }
        return RecordSample(in: root)
    }

    /// The maximum size in bytes of a file that is searched for better records.
    private static let longestSearch = 1 << 24

    /// Samples the books of a catalog; fails if one no longer exists.
    private init?(of catalog: JSONFileCatalog) {
        while catalog.readMore() {}
        var records: [JSONValue] = []
        let step = max(1, (catalog.index.count + Self.sampleCount - 1) / Self.sampleCount)
        for index in stride(from: 0, to: catalog.index.count, by: step) {
            guard let record = catalog.record(BookID(index)) else { return nil }
            records.append(record)
        }
        self.records = records
        count = catalog.index.count
        paths = catalog.format?.elementPaths ?? [.everyElement]
        format = catalog.format
    }

    private init(_ all: [JSONValue], at paths: [FieldPath]) {
        let step = max(1, (all.count + Self.sampleCount - 1) / Self.sampleCount)
        records = stride(from: 0, to: all.count, by: step).map { all[$0] }
        count = all.count
        self.paths = paths
        format = nil
    }

    /// Samples the objects at `path` in a value, or those that resemble books most; fails if there are none.
    init?(in root: JSONValue, at path: FieldPath? = nil) {
        if let path {
            let found = path.found(in: root)
            var values = found.values
            var path = path
            if !found.isMany, case .array(let elements)? = values.first {
                // The path leads to the array, but its elements are meant.
                values = elements
                path = FieldPath(steps: path.steps + [.every])
            }
            let objects = values.filter { $0.members != nil }
            if objects.isEmpty { return nil }
            self.init(objects, at: [path])
            return
        }
        var finder = Finder()
        finder.walk(root, [], depth: 0)
        var best: (group: Finder.Group, quality: Double)?
        let ranked = finder.groups.sorted { left, right in
            let (leftDepth, rightDepth) = (left.depth, right.depth)
            return leftDepth != rightDepth ? leftDepth < rightDepth : left.objects.count > right.objects.count
        }
        for group in ranked.prefix(8) {
            let quality = Self.quality(of: group.objects)
            // A nested group is part of an outer one, unless it resembles books much more.
            if let best, quality <= best.quality * 1.3 { continue }
            best = (group, quality)
        }
        if let best, best.quality > 0 {
            self.init(best.group.objects, at: [FieldPath(steps: best.group.steps)])
        } else if root.members?.isEmpty == false, Self.quality(of: [root]) > 0 {
            self.init([root], at: [FieldPath(steps: [])])
        } else {
            return nil
        }
    }

    /// Returns how much objects resemble books.
    private static func quality(of objects: [JSONValue]) -> Double {
        let step = max(1, objects.count / 50)
        let sample = stride(from: 0, to: objects.count, by: step).map { objects[$0] }
        let proposal = MappingSuggestion(for: sample)
        return BookField.builtIn.reduce(0.0) { sum, field in
            let weight: Double =
                switch field {
                case .title: 3
                case .authors, .isbn: 2
                default: 1
                }
            return sum + weight * (proposal.rules[field].map { proposal.look(at: $0, of: field).share } ?? 0)
        }
    }

    /// Finds objects in arrays, and objects that are the values of an object.
    private struct Finder {
        struct Group {
            var steps: [FieldPath.Step]
            var objects: [JSONValue]
            var depth: Int { steps.count { $0.isPlural } }
        }

        private(set) var groups: [Group] = []
        private var positions: [[FieldPath.Step]: Int] = [:]

        mutating func walk(_ value: JSONValue, _ steps: [FieldPath.Step], depth: Int) {
            if depth > 12 { return }
            switch value {
            case .array(let elements):
                let inner = steps + [.every]
                add(elements.filter { $0.members != nil }, at: inner)
                for element in elements { walk(element, inner, depth: depth + 1) }
            case .object(let members):
                let objects = members.map(\.value).filter { $0.members?.isEmpty == false }
                if members.count > 1, objects.count == members.count { add(objects, at: steps + [.every]) }
                for member in members { walk(member.value, steps + [.name(member.key)], depth: depth + 1) }
            case .null, .boolean, .number, .string: return
            }
        }

        private mutating func add(_ objects: [JSONValue], at steps: [FieldPath.Step]) {
            if objects.isEmpty { return }
            if let position = positions[steps] {
                groups[position].objects += objects
            } else if groups.count < 64 {
                positions[steps] = groups.count
                groups.append(Group(steps: steps, objects: objects))
            }
        }
    }
}

extension CatalogFormat {
    /// Whether the records were detected only as a large group of objects with a title.
    fileprivate var isFoundBySearch: Bool {
        isDetected && profile.name == "native" && recordPaths.contains { $0 != .everyElement && $0 != .wholeText }
    }
}

extension RandomAccessInput {
    /// Returns the contents, or nil if they exceed `limit` bytes.
    fileprivate func text(upTo limit: Int) throws(FileError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer, at: bytes.count)
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
            if bytes.count > limit { return nil }
        }
    }
}
