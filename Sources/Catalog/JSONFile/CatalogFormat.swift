public import Books
package import JSON

/// The way a catalog is read.
public struct CatalogFormat: Hashable, Sendable {
    /// The profile with the field mapping.
    public let profile: Profile
    /// The keys that the profile reads only in this catalog, because their names tell a field.
    let namedKeys: [String]
    /// The mapping of the profile in other catalogs, without these keys.
    public let generalMapping: FieldMapping
    /// The mapping from the JSON value that is read for a record.
    public let mapping: FieldMapping
    /// The paths of the records: "$" for a file that is a single record, empty for one record per line.
    public let recordPaths: [FieldPath]
    /// Whether the profile was detected rather than chosen by the user.
    public let isDetected: Bool

    /// Creates the format of the rows of a server.
    ///
    /// - Parameters:
    ///   - profile: The profile that the user has chosen, if any.
    ///   - known: The profile for this kind of server; nil to recognize it by the rows.
    package init?(
        of rows: [JSONValue], by profile: Profile?, knownAs known: Profile?, in library: ProfileLibrary
    ) {
        let found = known == nil ? library.profile(named: ProfileRecognition.profile(of: rows)) : nil
        guard let reading = profile ?? known ?? found else { return nil }
        let keys = profile == nil ? found?.namedKeys(in: rows, isTable: true) : nil
        let format = CatalogFormat(
            profile: reading, namedKeys: keys ?? [], recordPaths: [], isDetected: profile == nil)
        self = format.learning(from: rows)
    }

    /// Creates a format with records at these paths.
    public init(profile: Profile, recordPaths: [FieldPath], isDetected: Bool) {
        self.init(profile: profile, namedKeys: [], recordPaths: recordPaths, isDetected: isDetected)
    }

    /// Creates a format that also reads fields from keys with their names.
    ///
    /// - Parameter own: The fields that were found in the records of this catalog.
    init(
        profile: Profile, namedKeys: [String], recordPaths: [FieldPath], isDetected: Bool, own: [BookField] = []
    ) {
        let reading = profile.reading(namedKeys)
        self.profile = reading
        self.namedKeys = namedKeys
        generalMapping = profile.mapping
        self.recordPaths = recordPaths
        self.isDetected = isDetected
        foundFields = own
        // All paths of a profile have the same steps within the element.
        mapping = reading.mapping.within(recordPaths.first?.stepsWithinElement ?? []).with(own: own)
    }

    /// The fields that were found in the records of this catalog.
    let foundFields: [BookField]

    /// The fields of the catalog.
    public var schema: Schema { mapping.schema }

    /// Returns this format with the fields that these records have beside those of the profile; itself, if it has them.
    ///
    /// - Parameter sample: Records in the form in which `mapping` reads them.
    func learning(from sample: [JSONValue]) -> CatalogFormat {
        let plain = foundFields.isEmpty ? mapping : with(own: []).mapping
        let found = plain.ownFields(in: sample, except: hiddenPaths)
        return found == foundFields ? self : with(own: found)
    }

    /// Returns this format with fields that these records have beside those that are known.
    func learningMore(from sample: [JSONValue]) -> CatalogFormat {
        let more = mapping.ownFields(in: sample, except: hiddenPaths)
        return more.isEmpty ? self : with(own: foundFields + more)
    }

    private var hiddenPaths: [FieldPath] {
        let steps = recordPaths.first?.stepsWithinElement ?? []
        return profile.hiddenFields.map { FieldPath(steps: steps + $0.steps) }
    }

    private func with(own: [BookField]) -> CatalogFormat {
        var profile = profile
        profile.mapping = generalMapping
        return CatalogFormat(
            profile: profile, namedKeys: namedKeys, recordPaths: recordPaths, isDetected: isDetected, own: own)
    }

    /// The paths of the JSON values that are read for records and passed to the mapping; "[*]" for one record per line.
    public var elementPaths: [FieldPath] {
        if recordPaths.isEmpty { return [.everyElement] }
        return recordPaths.map { FieldPath(steps: Array($0.steps.dropLast($0.stepsWithinElement.count))) }
    }

    /// The part of the format that is stored with a cached index.
    struct Key: Hashable, Sendable {
        /// The name and the fingerprint of the profile.
        var profile: String
        var fingerprint: UInt64
        /// The record paths, one per line.
        var recordPaths: String
        var isDetected: Bool
        /// The keys that are read because of their names, one per line.
        var namedKeys: String
        /// The fields that were found in the records, as JSON.
        var foundFields: String
    }

    /// The key to store with a cached index.
    var key: Key {
        Key(
            profile: profile.name, fingerprint: profile.fingerprint,
            recordPaths: recordPaths.map(\.description).joined(separator: "\n"), isDetected: isDetected,
            namedKeys: namedKeys.joined(separator: "\n"),
            foundFields: JSONValue.array(foundFields.compactMap { $0.info.own?.json }).json)
    }

    /// Restores a format; fails unless it was read by `profile`, or, if that is nil, by a detected profile of `library`
    /// that has not changed.
    init?(_ key: Key, by profile: Profile?, of library: ProfileLibrary) {
        let keys = key.namedKeys.split(separator: "\n").map(String.init)
        guard let profile = profile ?? (key.isDetected ? library.profile(named: key.profile) : nil),
            profile.reading(keys).fingerprint == key.fingerprint, profile.name == key.profile
        else { return nil }
        var paths: [FieldPath] = []
        for line in key.recordPaths.split(separator: "\n") {
            guard let path = try? FieldPath(String(line)) else { return nil }
            paths.append(path)
        }
        let fields = JSONValue(parsing: key.foundFields.utf8)?.elements?.map { OwnField(json: $0) } ?? [nil]
        guard !fields.contains(nil) else { return nil }
        self.init(
            profile: profile, namedKeys: keys, recordPaths: paths, isDetected: key.isDetected,
            own: fields.compactMap(\.self).map { BookField($0) })
    }
}

extension OwnField {
    /// The field as JSON.
    fileprivate var json: JSONValue {
        let members: [(String, JSONValue)] = [
            ("name", .string(name)), ("label", .string(label)), ("kind", .string(kind.rawValue)),
            ("path", .string(path.description)), ("internal", .boolean(isInternal)), ("facet", .boolean(isFacet)),
        ]
        return .object(members.map { .init(key: $0.0, value: $0.1) })
    }

    /// Restores a field; fails for other JSON.
    fileprivate init?(json: JSONValue) {
        guard let name = json["name"]?.string, let label = json["label"]?.string,
            let kind = json["kind"]?.string.flatMap(Kind.init), let text = json["path"]?.string,
            let path = try? FieldPath(text), let isInternal = json["internal"]?.boolean,
            let isFacet = json["facet"]?.boolean
        else { return nil }
        self.init(name, label: label, kind, at: path, isInternal: isInternal, isFacet: isFacet)
    }
}
