internal import CSystem
internal import Glibc
public import Storage

/// What each character that may be typed behind a word would find: made in the background while the reader thinks, so that
/// the key need not wait for a look at all texts.
///
/// It is of one word, or the beginning of one, that is looked for in all fields, and of the letters and digits of ASCII;
/// after other queries there is none.
public final class SearchForecast: Sendable {
    /// Among more books there is none, as it needs 14 bytes for each.
    static let maximumBookCount = 10 << 20

    private let work: Work
    private let task: WorkTeam.Task

    /// Begins to find out what keys behind `query` would find in the books of `scope`; nil where it cannot tell.
    ///
    /// - Parameter team: The threads; what they did before is stopped, as this is by what they do next.
    public init?(after query: Query, in scope: BookSearch.Scope, by team: WorkTeam) {
        let plan = SearchPlan(query.expression)
        guard scope.members == nil, plan.word != nil, let work = Work(plan, scope.segments) else { return nil }
        self.work = work
        task = team.start(work)
    }

    /// Waits until it is made, at most so many milliseconds.
    ///
    /// - Returns: Whether it is.
    public func wait(milliseconds: Int) -> Bool { task.wait(milliseconds: milliseconds) }

    /// Stops making it as soon as can be.
    public func stop() { task.stop() }

    /// What it says of a search by `plan`; nil where it says nothing of that.
    func answer(to plan: SearchPlan) -> Answer? {
        guard let word = plan.word, let beginning = work.plan.word, word.count == beginning.count + 1,
            beginning.count == 0 || memcmp(word.bytes, beginning.bytes, beginning.count) == 0
        else { return nil }
        let number = forecast_number(word.bytes[beginning.count])
        return number < FORECAST_CHARACTERS ? Answer(work, number) : nil
    }

    /// What it says of one search.
    struct Answer {
        private let work: Work
        private let number: UInt32

        fileprivate init(_ work: Work, _ number: UInt32) {
            self.work = work
            self.number = number
        }

        /// The books that match of `segment`, the `part`th of all, the first of which has the index `start`; nil where
        /// that is not known.
        func matches(in segment: CatalogSegment, part: Int, from start: Int) -> SegmentMatches? {
            guard let forecast = work.forecast(of: segment, part: part) else { return nil }
            return SegmentMatches(forecast, number, segment.count, from: start)
        }
    }

    // Unchecked, as the compiler cannot know that each part is written by one thread, and read when that has said so.
    /// All parts of a forecast.
    fileprivate final class Work: TeamWork, @unchecked Sendable {
        let plan: SearchPlan
        private let segments: [CatalogSegment]
        /// Where the forecast of each segment begins, in words.
        private let starts: [Int]
        private let words: UnsafeMutablePointer<UInt64>
        private let size: Int
        private let isMade: Locked<[Bool]>

        /// Nil where there are too many books, or no memory for them.
        init?(_ plan: SearchPlan, _ segments: [CatalogSegment]) {
            var starts: [Int] = []
            var (bookCount, wordCount) = (0, 0)
            for segment in segments {
                starts.append(wordCount)
                wordCount += forecast_size(segment.count)
                bookCount += segment.count
            }
            let size = wordCount * MemoryLayout<UInt64>.stride
            // Given back to the system when nobody needs it any more, which memory of the heap need not be.
            guard size > 0, bookCount <= SearchForecast.maximumBookCount,
                let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                memory != MAP_FAILED
            else { return nil }
            preferLargePages(in: UnsafeMutableRawBufferPointer(start: memory, count: size))
            words = memory.bindMemory(to: UInt64.self, capacity: wordCount)
            self.size = size
            self.plan = plan
            self.segments = segments
            self.starts = starts
            isMade = Locked(Array(repeating: false, count: segments.count))
        }

        deinit { munmap(words, size) }

        var partCount: Int { segments.count }

        func perform(part: Int) {
            let segment = segments[part]
            // An index that was damaged may hold any numbers.
            guard segment.hasSoundText, let text = segment.text.baseAddress, let ends = segment.textEnds.baseAddress,
                let word = plan.word
            else { return }
            forecast_make(text, ends, segment.count, word, words + starts[part])
            isMade.withLock { $0[part] = true }
        }

        func complete() {}

        /// The forecast of `segment`, the `part`th of all; nil where it is another, or was not made yet.
        func forecast(of segment: CatalogSegment, part: Int) -> UnsafePointer<UInt64>? {
            guard part < segments.count, segments[part] === segment, isMade.withLock({ $0[part] }) else { return nil }
            return UnsafePointer(words + starts[part])
        }
    }
}

extension SearchPlan {
    /// The word, or the beginning of one, that is looked for in all fields, where nothing else is; one of no characters where
    /// all books are wanted. Valid as long as the plan.
    fileprivate var word: text_needle? {
        let kinds = Self.kinds(of: nil)
        switch root {
        case .everything: return text_needle(bytes: nil, count: 0, kinds: kinds, begins_line: false)
        case .text(let needles):
            guard let needle = needles.first?.needle, needles.count == 1, needle.kinds == kinds, !needle.begins_line
            else { return nil }
            return needle
        default: return nil
        }
    }
}

extension SegmentMatches {
    /// The books that match where the character of this number is typed, of `count`, the first of which has the index `start`.
    fileprivate convenience init(_ forecast: UnsafePointer<UInt64>, _ number: UInt32, _ count: Int, from start: Int) {
        let rankCount = Int(FORECAST_RANKS)
        var runs: [(rank: UInt8, end: Int)] = []
        let indices = withUnsafeTemporaryAllocation(of: Int.self, capacity: rankCount) { counts in
            let total = forecast_count(forecast, count, number, counts.baseAddress)
            if total == 0 { return [UInt32]() }
            return [UInt32](unsafeUninitializedCapacity: total) { buffer, initialized in
                withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<UInt32>?.self, capacity: rankCount) { places in
                    var end = 0
                    for rank in 0..<rankCount {
                        places.initializeElement(at: rank, to: buffer.baseAddress.map { $0 + end })
                        end += counts[rank]
                        if counts[rank] > 0 { runs.append((UInt8(rank), end)) }
                    }
                    let first = UInt32(truncatingIfNeeded: start)
                    forecast_list(forecast, count, number, first, places.baseAddress)
                }
                initialized = total
            }
        }
        self.init(indices, runs)
    }
}
