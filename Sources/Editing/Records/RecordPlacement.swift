internal import Catalog
internal import Indexing
internal import JSON

/// Takes records out of the text of a catalog and puts them in, and knows the text between them.
struct RecordPlacement {
    private typealias Gap = PieceTable<[UInt8]?>.Piece

    private let text: CatalogText
    private let list: RecordList
    /// The part of the file in which text changes: the text before the first record may be long, and so may that after
    /// the last one.
    let range: Range<Int>
    /// Where the file begins, after the byte-order mark, and where it ends.
    private let file: Range<Int>
    /// Finds the empty array for the first records in a text.
    private let emptyList: ([UInt8]) -> EmptyRecordList?

    /// The number of bytes before the first record, and after the last one, that belong to the changing text.
    private static let edgeCount = 4096

    /// Creates the placement of records in a file of this size.
    ///
    /// - Parameters:
    ///   - listEnd: The end of the last item of the list, which need not be a record; nil if there is no list.
    ///   - emptyList: Finds the empty array for the first records in a text.
    init(
        in text: CatalogText, size: Int, _ list: RecordList, listEnd: Int?,
        emptyList: @escaping ([UInt8]) -> EmptyRecordList?
    ) throws(CatalogEditError) {
        (self.text, self.list, self.emptyList) = (text, list, emptyList)
        file = try text.bytes(in: 0..<3) == [0xEF, 0xBB, 0xBF] ? 3..<size : 0..<size
        guard text.count > 0, let last = text.rangeAsIndexed(of: BookID(text.count - 1)) else {
            range = file
            return
        }
        let first = text.reader.index.offset(at: 0)
        // At least the item before the first record and its comma, or a bracket.
        var start = try text.last(before: first)
        if let comma = start, comma.byte == UInt8(ascii: ",") { start = try text.last(before: comma.offset) }
        let from = max(file.lowerBound, min(first - Self.edgeCount, start?.offset ?? 0))
        let end = max(listEnd ?? 0, last.upperBound)
        var next = try text.next(from: end)
        if let comma = next, comma.byte == UInt8(ascii: ",") { next = try text.next(from: comma.offset + 1) }
        range = from..<max(from, min(size, max(end + Self.edgeCount, next.map { $0.offset + 1 } ?? size)))
    }

    // MARK: - The text between the records

    /// Returns the range of the text before a record of the file, or after the last one; nil if the file has changed.
    func range(ofGap number: Int) -> Range<Int>? {
        if text.count == 0 { return range }
        let start = number == 0 ? range.lowerBound : text.rangeAsIndexed(of: BookID(number - 1))?.upperBound
        let end = number == text.count ? range.upperBound : text.reader.index.offset(at: number)
        guard let start, start <= end else { return nil }
        return start..<end
    }

    private func original(_ number: Int) -> [UInt8]? {
        range(ofGap: number).flatMap { try? text.bytes(in: $0) }
    }

    private func bytes(at position: Int, in sequence: RecordSequence) -> [UInt8]? {
        switch sequence.gaps[position] {
        case .original(let numbers): original(numbers.lowerBound)
        case .changed(let bytes): bytes
        }
    }

    /// Returns the gap with this text between two records; that of the file if it is the same.
    private func gap(_ bytes: [UInt8]?, after previous: RecordSequence.Piece?, _ next: RecordSequence.Piece?) -> Gap {
        let number: Int? =
            switch (previous, next) {
            case (nil, nil): text.count == 0 ? 0 : nil
            case (nil, let next?): next.origin == 0 ? 0 : nil
            case (let previous?, nil): previous.origin == text.count - 1 ? text.count : nil
            case (let previous?, let next?): previous.origin.map { $0 + 1 } == next.origin ? next.origin : nil
            }
        if let number, bytes == original(number) { return .original(number..<number + 1) }
        return .changed(bytes)
    }

    /// Recognizes the text between records that is that of the file again, because the records are in another order.
    func recognizeGaps(of sequence: inout RecordSequence) {
        if sequence.hasGaps(of: text.count) { return }
        var known: [(position: Int, gap: Gap)] = []
        for (number, piece) in sequence.gaps.pieces.enumerated() {
            guard case .changed(let bytes?) = piece else { continue }
            let position = sequence.gaps.starts[number]
            known.append((position, gap(bytes, at: position..<position, of: sequence)))
        }
        sequence.replaceGaps(known)
    }

    // MARK: - Taking out

    /// Takes records out of a sequence.
    ///
    /// - Parameters:
    ///   - positions: The positions of the records, which ascend.
    ///   - kept: The text around each of them when it was put in, if it is known.
    /// - Returns: The text around each of them.
    func remove(
        at positions: [Int], _ kept: [RecordSurroundings?], from sequence: inout RecordSequence
    ) -> [RecordSurroundings?] {
        var runs: [(positions: Range<Int>, gap: Gap)] = []
        var found: [RecordSurroundings?] = []
        var number = 0
        while number < positions.count {
            let start = number
            number += 1
            while number < positions.count, positions[number] == positions[number - 1] + 1 { number += 1 }
            let run = positions[start]..<positions[number - 1] + 1
            let around = taken(run, RunSurroundings(Array(kept[start..<number])), from: sequence)
            runs.append((run, gap(around?.joined, at: run, of: sequence)))
            found += around?.kept(from: run, of: sequence.count) ?? run.map { _ in nil }
        }
        sequence.remove(runs)
        return found
    }

    private func gap(_ bytes: [UInt8]?, at run: Range<Int>, of sequence: RecordSequence) -> Gap {
        gap(
            bytes, after: run.lowerBound > 0 ? sequence[run.lowerBound - 1] : nil,
            run.upperBound < sequence.count ? sequence[run.upperBound] : nil)
    }

    /// The text around records, not shortened.
    private struct Around {
        var gaps: [[UInt8]]
        var joined: [UInt8]

        /// Returns what is kept with the records at the positions `run` of `count`.
        func kept(from run: Range<Int>, of count: Int) -> [RecordSurroundings?] {
            RunSurroundings(
                gaps: gaps, joined: joined, isFirst: run.lowerBound == 0, isLast: run.upperBound == count
            ).kept
        }
    }

    /// Returns the text around records that are taken out; nil if it is not known, or the records are not in a list.
    private func taken(_ run: Range<Int>, _ kept: RunSurroundings?, from sequence: RecordSequence) -> Around? {
        var gaps: [[UInt8]] = []
        for position in run.lowerBound...run.upperBound {
            guard let bytes = bytes(at: position, in: sequence) else { return nil }
            // Most are equal, and share their memory.
            if let last = gaps.last, last == bytes { gaps.append(last) } else { gaps.append(bytes) }
        }
        let (before, after) = (gaps[0], gaps[gaps.count - 1])
        let known = kept?.taken(
            from: before, after, isFirst: run.lowerBound == 0, isLast: run.upperBound == sequence.count)
        if let known { return Around(gaps: gaps, joined: known) }
        // One after another, because there may be items between them that are not records.
        var joined = before
        for gap in gaps.dropFirst() {
            guard let rest = list.joined(joined, gap) else { return nil }
            joined = rest
        }
        return Around(gaps: gaps, joined: joined)
    }

    // MARK: - Putting in

    /// Puts records into a sequence.
    ///
    /// - Parameters:
    ///   - insertions: The records with their later positions, which ascend.
    ///   - kept: The text around each of them when it was taken out, if it is known.
    /// - Returns: The text around each of them.
    func insert(
        _ insertions: [(position: Int, piece: RecordSequence.Piece)], _ kept: [RecordSurroundings?],
        into sequence: inout RecordSequence
    ) -> [RecordSurroundings?] {
        var found: [RecordSurroundings?] = []
        var runs: [(position: Int, pieces: [RecordSequence.Piece], gaps: [Gap])] = []
        for (position, pieces) in sequence.runs(of: insertions) {
            let kept = Array(kept[found.count..<found.count + pieces.count])
            let around = put(pieces.count, kept, at: position, in: sequence)
            runs.append((position, pieces, gaps(around?.gaps, of: pieces, at: position, in: sequence)))
            found += around?.kept(from: position..<position, of: sequence.count) ?? pieces.map { _ in nil }
        }
        sequence.insert(runs)
        return found
    }

    private func gaps(
        _ texts: [[UInt8]]?, of pieces: [RecordSequence.Piece], at position: Int, in sequence: RecordSequence
    ) -> [Gap] {
        var previous = position > 0 ? sequence[position - 1] : nil
        let next = position < sequence.count ? sequence[position] : nil
        var gaps: [Gap] = []
        for number in 0...pieces.count {
            let following = number < pieces.count ? pieces[number] : next
            gaps.append(gap(texts?[number], after: previous, following))
            previous = following
        }
        return gaps
    }

    /// Returns the text around `count` records that are put into the gap at a position; nil if there is no list.
    private func put(
        _ count: Int, _ kept: [RecordSurroundings?], at position: Int, isBehind: Bool = true,
        in sequence: RecordSequence
    ) -> Around? {
        guard let gap = bytes(at: position, in: sequence) else { return nil }
        let (isFirst, isLast) = (position == 0, position == sequence.count)
        if let texts = RunSurroundings(kept)?.put(into: gap, isFirst: isFirst, isLast: isLast) {
            return Around(gaps: texts, joined: gap)
        }
        if isFirst && isLast {
            guard let gaps = firstGaps(of: count, kept, in: gap) else { return nil }
            return Around(gaps: gaps, joined: gap)
        }
        let isBehind = (isBehind || isLast) && !isFirst
        let before = isFirst ? gap : bytes(at: position - 1, in: sequence) ?? []
        let after = isFirst ? bytes(at: 1, in: sequence) ?? [] : gap
        // Items at the end that are not books precede new ones.
        let items = isLast && isBehind ? list.itemsAtEnd(of: gap) : nil
        let separator = items?.separator ?? list.separator(before, after, like: fileSeparator(for: sequence))
        let start = items?.count ?? 0
        guard
            let first = list.split(Array(gap[start...]), isBehind: isBehind, separator: separator),
            let gaps = extended([gap[..<start] + first.before, first.after], to: count, separator)
        else { return nil }
        return Around(gaps: gaps, joined: gap)
    }

    /// Returns the separator of the file's first records if only one record remains, which shows none itself.
    private func fileSeparator(for sequence: RecordSequence) -> [UInt8]? {
        guard sequence.count < 2, text.count > 1, let separator = original(1), list.isSeparator(separator) else {
            return nil
        }
        return separator
    }

    /// Adds the text around further records behind the first one.
    private func extended(_ gaps: [[UInt8]], to count: Int, _ separator: [UInt8]) -> [[UInt8]]? {
        var gaps = gaps
        while gaps.count <= count {
            guard let split = list.split(gaps.removeLast(), isBehind: true, separator: separator) else { return nil }
            gaps += [split.before, split.after]
        }
        return gaps
    }

    /// Returns the text around the only records of a catalog.
    private func firstGaps(of count: Int, _ kept: [RecordSurroundings?], in gap: [UInt8]) -> [[UInt8]]? {
        // In the place of those that the file has.
        if text.count > 0, let before = original(0), let after = original(text.count),
            list.joined(before, after) == gap
        {
            let other = text.count > 1 ? original(1) : nil
            return extended(
                [before, after], to: count,
                other.flatMap { list.isSeparator($0) ? $0 : nil } ?? list.separator(before, after, like: nil))
        }
        if case .lines(let lineEnd) = list.kind {
            return formerGaps(kept, in: gap, 0..<0) ?? extended([[], lineEnd + gap], to: count, lineEnd)
        }
        let start = (try? text.bytes(in: file.lowerBound..<range.lowerBound)) ?? []
        guard let end = try? text.bytes(in: range.upperBound..<file.upperBound),
            let array = emptyList(start + gap + end)
        else { return nil }
        let place = array.range.lowerBound - start.count..<array.range.upperBound - start.count
        guard place.lowerBound >= 0, place.upperBound <= gap.count else { return nil }
        if let former = formerGaps(kept, in: gap, place) { return former }
        var gaps = array.gaps(of: count)
        gaps[0].insert(contentsOf: gap[..<place.lowerBound], at: 0)
        gaps[count] += gap[place.upperBound...]
        return gaps
    }

    /// Returns the text around all records of a list as earlier versions kept it: without what does not change.
    private func formerGaps(_ kept: [RecordSurroundings?], in gap: [UInt8], _ place: Range<Int>) -> [[UInt8]]? {
        let known = kept.compactMap(\.self)
        guard known.count == kept.count, known.allSatisfy({ $0.after != nil && $0.joined == nil }) else { return nil }
        var gaps: [[UInt8]] = []
        var end: [UInt8] = []
        for around in known {
            gaps.append(end + around.before)
            end = around.after ?? []
        }
        gaps.append(end)
        guard let first = gaps.first, let last = gaps.last, first.allSatisfy(\.isJSONWhitespace),
            last.allSatisfy(\.isJSONWhitespace), gaps.dropFirst().dropLast().allSatisfy(list.isSeparator)
        else { return nil }
        gaps[0] = gap[..<place.lowerBound] + first
        gaps[gaps.count - 1] += gap[place.upperBound...]
        return gaps
    }

    // MARK: - Moving

    /// Moves a record, with the separator beside it.
    ///
    /// - Parameters:
    ///   - isBehind: Whether it belongs to the previous record at its new position, and not to the next one.
    ///   - kept: The text around it in both positions when it was moved back, if it is known.
    /// - Returns: The text around it in both positions.
    func move(
        from: Int, to: Int, isBehind: Bool, _ kept: (source: RecordSurroundings?, target: RecordSurroundings?),
        in sequence: inout RecordSequence
    ) -> (source: RecordSurroundings?, target: RecordSurroundings?) {
        let piece = sequence[from]
        var source = taken(from..<from + 1, RunSurroundings([kept.source]), from: sequence)
        // The separator goes along, so that moving it back by hand gives the same bytes.
        let number = from < to ? 1 : 0
        let separator = source.flatMap { list.isSeparator($0.gaps[number]) ? $0.gaps[number] : nil }
        if kept.source == nil, separator != nil, let gaps = source?.gaps { source?.joined = gaps[1 - number] }
        let keptSource = source?.kept(from: from..<from + 1, of: sequence.count).first ?? nil
        let run = from..<from + 1
        sequence.remove([(run, gap(source?.joined, at: run, of: sequence))])
        var target: Around?
        if let separator, let gap = bytes(at: to, in: sequence), RunSurroundings([kept.target]) == nil {
            target = Around(gaps: isBehind ? [separator, gap] : [gap, separator], joined: gap)
        } else {
            target = put(1, [kept.target], at: to, isBehind: isBehind, in: sequence)
        }
        let keptTarget = target?.kept(from: to..<to, of: sequence.count).first ?? nil
        sequence.insert([(to, [piece], gaps(target?.gaps, of: [piece], at: to, in: sequence))])
        return (keptSource, keptTarget)
    }
}
