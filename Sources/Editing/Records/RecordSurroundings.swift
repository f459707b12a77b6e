internal import JSON

/// The text around a record that was taken out or put in, with which that is reversed to the same bytes.
///
/// Of the text before the first record of the file, and of that after the last one, it has only the bytes beside the
/// record.
struct RecordSurroundings: Hashable, Sendable {
    /// The text between the previous record and this one.
    var before: [UInt8]
    /// The text between this record and the next one; nil if the next one is taken out or put in as well.
    var after: [UInt8]?
    /// The text in the place of the record while it is not there, in place of all records before it that are taken out
    /// or put in as well; nil if `after` is, and in journals of earlier versions.
    var joined: [UInt8]?
}

/// The text around neighbouring records, and the text in their place without them.
struct RunSurroundings {
    /// The text before each record, and after the last one.
    var gaps: [[UInt8]]
    /// The text in their place while they are not there.
    var joined: [UInt8]

    /// The number of bytes of the text before the first record of the file, or after the last one, that are kept: they
    /// show where the record belongs.
    private static let contextCount = 64
    /// The number of bytes above which the text around a record is not kept.
    private static let maximumCount = 4096

    /// Creates the surroundings that were kept with records; fails if they belong to others, too.
    init?(_ kept: [RecordSurroundings?]) {
        guard kept.dropLast().allSatisfy({ $0 != nil && $0?.after == nil }), let last = kept.last ?? nil,
            let after = last.after, let joined = last.joined
        else { return nil }
        gaps = kept.compactMap { $0?.before } + [after]
        self.joined = joined
    }

    /// Creates the surroundings of records.
    ///
    /// - Parameters:
    ///   - isFirst: Whether no record precedes them.
    ///   - isLast: Whether no record follows them.
    init(gaps: [[UInt8]], joined: [UInt8], isFirst: Bool, isLast: Bool) {
        (self.gaps, self.joined) = (gaps, joined)
        let last = gaps.count - 1
        if isFirst {
            let shared = zip(gaps[0], joined).prefix { $0 == $1 }.count
            let dropped = max(0, shared - Self.contextCount)
            self.gaps[0].removeFirst(dropped)
            self.joined.removeFirst(dropped)
        }
        if isLast {
            let shared = zip(self.gaps[last].reversed(), self.joined.reversed()).prefix { $0 == $1 }.count
            let dropped = max(0, shared - Self.contextCount)
            self.gaps[last].removeLast(dropped)
            self.joined.removeLast(dropped)
        }
    }

    /// The surroundings of each record; nil if they are too long to be kept.
    var kept: [RecordSurroundings?] {
        let last = gaps.count - 2
        if gaps[0].count + gaps[last + 1].count + joined.count > Self.maximumCount
            || gaps.dropFirst().dropLast().contains(where: { $0.count > Self.maximumCount })
        {
            return gaps.dropLast().map { _ in nil }
        }
        return gaps.dropLast().enumerated().map { number, before in
            number < last
                ? RecordSurroundings(before: before)
                : RecordSurroundings(before: before, after: gaps[number + 1], joined: joined)
        }
    }

    /// Returns the text without the records, if the text before and after them is that of these surroundings.
    func taken(from before: [UInt8], _ after: [UInt8], isFirst: Bool, isLast: Bool) -> [UInt8]? {
        guard let first = gaps.first, let last = gaps.last,
            isFirst ? before.suffix(first.count) == first[...] : before == first,
            isLast ? after.prefix(last.count) == last[...] : after == last
        else { return nil }
        return before.dropLast(first.count) + joined + after.dropFirst(last.count)
    }

    /// Returns the text around each of the records in a gap, if its text is that of these surroundings.
    func put(into gap: [UInt8], isFirst: Bool, isLast: Bool) -> [[UInt8]]? {
        let start: Int
        switch (isFirst, isLast) {
        case (false, false): start = gap == joined ? 0 : -1
        case (true, false): start = gap.suffix(joined.count) == joined[...] ? gap.count - joined.count : -1
        case (false, true): start = gap.prefix(joined.count) == joined[...] ? 0 : -1
        case (true, true): start = gap == joined ? 0 : gap.onlyIndex(of: joined) ?? -1
        }
        guard start >= 0, let first = gaps.first, let last = gaps.last else { return nil }
        var texts = gaps
        texts[0] = gap[..<start] + first
        if gaps.count > 1 { texts[gaps.count - 1] = last + gap[(start + joined.count)...] }
        return texts
    }
}

extension [UInt8] {
    /// Returns the index of the only occurrence of `other`; nil if there is none, or more than one.
    fileprivate func onlyIndex(of other: [UInt8]) -> Int? {
        guard let first = other.first else { return nil }
        let found = indices.filter { self[$0] == first && self[$0...].starts(with: other) }
        return found.count == 1 ? found[0] : nil
    }
}

// MARK: - In the journal

extension RecordSurroundings {
    /// Adds the surroundings to the members of a record.
    func append(to writer: inout ObjectWriter) {
        writer.add("before", .bytes(before))
        if let after { writer.add("after", .bytes(after)) }
        if let joined { writer.add("joined", .bytes(joined)) }
    }

    /// Parses the surroundings among the members of a record; fails if there are none.
    init?(json: JSONValue) {
        if let before = json["before"]?.bytes {
            self.init(before: before, after: json["after"]?.bytes, joined: json["joined"]?.bytes)
            return
        }
        // Earlier versions kept them if all records were deleted at once.
        guard let before = json["gap"]?.bytes, let after = json["end"]?.bytes else { return nil }
        self.init(before: before, after: after)
    }
}
