internal import Books
internal import JSON

/// Records at the paths of a profile.
extension FormatDetection {
    /// Returns the format of a top-level array with this profile: the elements are the records unless the profile's
    /// paths match.
    func opening(ofArrayBy profile: Profile) -> FormatDetector {
        let opening = opening(by: profile)
        switch opening {
        case .nothing, .syntaxError:
            return .records(
                .init(
                    shape: .array(path: []), offset: start, records: Self.everyElement,
                    recordPaths: [.everyElement], profile: profile.name))
        case .records, .empty, .undecided: return opening
        }
    }

    /// Returns the location of the records of `profile`.
    func opening(by profile: Profile) -> FormatDetector {
        // The whole text is a record only if no other path matches.
        let inner = profile.records.filter { !$0.steps.isEmpty }
        let records = RecordPaths(inner)
        var rest = reader
        var syntaxError: JSONSyntaxError?
        do throws(JSONSyntaxError) {
            if let place = try rest.location(of: records, at: []) {
                return .records(
                    .init(
                        shape: place.shape, offset: place.offset, records: records, recordPaths: inner,
                        profile: profile.name))
            }
            try rest.readEnd()
        } catch {
            syntaxError = error
        }
        if !isWhole && (syntaxError.map { $0.offset >= reader.count } ?? true) { return .undecided }
        if let root = isList(of: profile.name) {
            // A list without records is not a record itself.
            return .records(
                .init(
                    shape: .document, offset: root, records: records, recordPaths: inner, profile: profile.name))
        }
        if inner.count < profile.records.count {
            return .records(
                .init(
                    shape: .document, offset: start, records: .wholeText, recordPaths: [.wholeText],
                    profile: profile.name))
        }
        return syntaxError.map(FormatDetector.syntaxError) ?? .nothing(.noRecords(profile: profile.name))
    }

    /// Returns the offset of the text if it is a list of a known kind that may be empty: of links to other lists, or of
    /// search results.
    private func isList(of profile: String) -> Int? {
        var beginning = reader
        guard isWhole, let root = beginning.readBeginning(sampleCount: Self.sampleCount) else { return nil }
        let isList =
            switch profile {
            case "opds": ["publications", "groups", "navigation"].contains { root[$0] != nil }
            case "google": root["kind"]?.string == "books#volumes"
            case "schema": root["@graph"] != nil
            default: false
            }
        return isList ? start : nil
    }
}
