public import Books

/// The way a catalog is read.
public struct CatalogFormat: Hashable, Sendable {
    /// The profile with the field mapping.
    public let profile: Profile
    /// The keys that the profile reads only in this catalog, because their names tell a field.
    let namedKeys: [String]
    /// The mapping of the profile in other catalogs, without these keys.
    public let generalMapping: FieldMapping
    /// The paths of the records: "$" for a file that is a single record, empty for one record per line.
    public let recordPaths: [FieldPath]
    /// Whether the profile was detected rather than chosen by the user.
    public let isDetected: Bool

    /// Creates a format with records at these paths.
    public init(profile: Profile, recordPaths: [FieldPath], isDetected: Bool) {
        self.init(profile: profile, namedKeys: [], recordPaths: recordPaths, isDetected: isDetected)
    }

    /// Creates a format that also reads fields from keys with their names.
    init(profile: Profile, namedKeys: [String], recordPaths: [FieldPath], isDetected: Bool) {
        self.profile = profile.reading(namedKeys)
        self.namedKeys = namedKeys
        generalMapping = profile.mapping
        self.recordPaths = recordPaths
        self.isDetected = isDetected
    }

    /// The mapping from the JSON value that is read for a record.
    public var mapping: FieldMapping {
        // All paths of a profile have the same steps within the element.
        profile.mapping.within(recordPaths.first?.stepsWithinElement ?? [])
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
    }

    /// The key to store with a cached index.
    var key: Key {
        Key(
            profile: profile.name, fingerprint: profile.fingerprint,
            recordPaths: recordPaths.map(\.description).joined(separator: "\n"), isDetected: isDetected,
            namedKeys: namedKeys.joined(separator: "\n"))
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
        self.init(profile: profile, namedKeys: keys, recordPaths: paths, isDetected: key.isDetected)
    }
}
