public import Books

/// How a catalog is read.
public struct CatalogFormat: Hashable, Sendable {
    /// The profile.
    public let profile: Profile
    /// Where its records are: paths, "$" for a text that is one record, and nothing for one record a line.
    public let recordPaths: [FieldPath]
    /// Whether the profile was found by what the catalog has, and not chosen by the reader.
    public let isDetected: Bool

    /// Read by `profile`, with records at these paths.
    public init(profile: Profile, recordPaths: [FieldPath], isDetected: Bool) {
        self.profile = profile
        self.recordPaths = recordPaths
        self.isDetected = isDetected
    }

    /// Where the fields are in what is read for a record.
    public var mapping: FieldMapping {
        // The same for all paths of a profile.
        profile.mapping.within(recordPaths.first?.stepsWithinElement ?? [])
    }

    /// The paths of what is read for a record, which the mapping is applied to: "[*]" for one record a line.
    package var elementPaths: [FieldPath] {
        if recordPaths.isEmpty { return [.everyElement] }
        return recordPaths.map { FieldPath(steps: Array($0.steps.dropLast($0.stepsWithinElement.count))) }
    }

    /// What is kept of it with an index.
    struct Key: Hashable, Sendable {
        /// The name of the profile, and what tells it from others.
        var profile: String
        var fingerprint: UInt64
        /// The paths, one a line.
        var recordPaths: String
        var isDetected: Bool
    }

    /// What is kept with an index.
    var key: Key {
        Key(
            profile: profile.name, fingerprint: profile.fingerprint,
            recordPaths: recordPaths.map(\.description).joined(separator: "\n"), isDetected: isDetected)
    }

    /// The format that was kept; nil where it is not that of `profile`, or, where that is nil, of one of `library` that is
    /// found by what a catalog has.
    init?(_ key: Key, by profile: Profile?, of library: ProfileLibrary) {
        guard let profile = profile ?? (key.isDetected ? library.profile(named: key.profile) : nil),
            profile.fingerprint == key.fingerprint, profile.name == key.profile
        else { return nil }
        var paths: [FieldPath] = []
        for line in key.recordPaths.split(separator: "\n") {
            guard let path = try? FieldPath(String(line)) else { return nil }
            paths.append(path)
        }
        self.init(profile: profile, recordPaths: paths, isDetected: key.isDetected)
    }
}
