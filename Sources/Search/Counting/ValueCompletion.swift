internal import CText
public import Indexing
internal import Text
public import Threading

/// A value in the catalog that can complete what was typed as the value of a field in a query.
public struct ValueCompletion: Hashable, Sendable {
    /// The field of the value.
    public let field: Query.TextField
    /// The number of books that have the value.
    public let bookCount: Int
    /// The normalized text, or the code of a language.
    let value: [UInt8]
    /// The first of these books.
    let book: BookID

    /// Returns the spelling of the value in its first book, or the English name of a language.
    public func name(in books: any BookReader) -> String {
        let written = String(decoding: value, as: UTF8.self)
        if field == .language, let name = LanguageTag(written)?.englishName { return name }
        return books.bookAtHand(book).flatMap { field.spelling(of: value, in: $0) } ?? written
    }
}

extension BookSearch.Scope {
    /// Starts searching for the values of `field` with a word that starts with `typed`, the most frequent first;
    /// returns all values if `typed` contains nothing searchable. Scans all texts in parallel.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of values.
    ///   - pool: The thread pool.
    ///   - notify: Called on any thread when the search is complete.
    public func completions(
        of field: Query.TextField, startingWith typed: String, limit: Int = 24, on pool: ThreadPool = .shared,
        notifying notify: @escaping @Sendable () -> Void = {}
    ) -> BackgroundTask<[ValueCompletion]> {
        pool.start(ValueSearch(field, [UInt8](folding: typed), self, limit), as: .batch, notifying: notify)
    }
}

/// Counts the values of a field with a word that starts with a given text.
private final class ValueSearch: ParallelJob {
    typealias Table = TermHashTable<FacetAccumulator.Tally>

    // Unchecked, because the compiler cannot know that only one thread uses it at a time.
    /// The values that one thread has found.
    private final class Worker: @unchecked Sendable {
        var texts = Table()
        /// Languages with a code, by the bits of the code.
        var languages: [FacetAccumulator.Tally] = []
    }

    let partCount: Int
    private let field: Query.TextField
    private let kind: IndexedTextField?
    private let typed: [UInt8]
    private let scope: BookSearch.Scope
    private let limit: Int
    private let isStopped = Locked(false)
    /// The workers that are not in use by a thread; in the end all of them.
    private let idle = Locked<[Worker]>([])

    init(_ field: Query.TextField, _ typed: [UInt8], _ scope: BookSearch.Scope, _ limit: Int) {
        (self.field, self.typed, self.scope, self.limit) = (field, typed, scope, limit)
        partCount = scope.segments.count
        kind = field.isCompleted ? field.line : nil
    }

    func stop() { isStopped.withLock { $0 = true } }

    func perform(part: Int) {
        guard let kind, !isStopped.withLock({ $0 }) else { return }
        let worker = idle.withLock { $0.popLast() } ?? Worker()
        let (segment, start) = (scope.segments[part], scope.starts[part])
        if let members = scope.members {
            var position = members.lowerBound(of: UInt32(truncatingIfNeeded: start))
            while position < members.count, Int(members[position]) < start + segment.count {
                add(segment, Int(members[position]) - start, start, kind, to: worker)
                position += 1
            }
        } else {
            for offset in 0..<segment.count { add(segment, offset, start, kind, to: worker) }
        }
        idle.withLock { $0.append(worker) }
    }

    private func add(
        _ segment: IndexSegment, _ offset: Int, _ start: Int, _ kind: IndexedTextField, to worker: Worker
    ) {
        let book = UInt32(truncatingIfNeeded: start + offset)
        if kind == .language, !segment.languages.isEmpty, segment.languages[offset] != 0 {
            count(language: LanguageCode(bits: segment.languages[offset] & 0x7FFF), of: book, by: worker)
        }
        for line in IndexedText(segment.text(at: offset)) where line.kind == kind && !line.content.isEmpty {
            var value = line.content
            if kind == .series { value = UnsafeBufferPointer(rebasing: value.prefix(SeriesName.length(of: value))) }
            if kind == .language {
                let code = LanguageCode(of: String(decoding: value.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self))
                if code != .unknown {
                    count(language: code, of: book, by: worker)
                    continue
                }
            }
            guard !value.isEmpty, hasWord(value) else { continue }
            let hash = cs_hash(value.baseAddress, value.count)
            worker.texts.entry(of: value, hash: hash).pointee.note.add(book)
        }
    }

    private func count(language: LanguageCode, of book: UInt32, by worker: Worker) {
        if worker.languages.isEmpty { worker.languages = Array(repeating: .init(), count: 1 << 15) }
        worker.languages[Int(language.bits)].add(book)
    }

    private func hasWord(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.hasWord(startingWith: typed) }

    func complete() -> [ValueCompletion]? {
        if isStopped.withLock({ $0 }) { return nil }
        let workers = idle.withLock { $0 }
        guard let first = workers.first else { return [] }
        for other in workers.dropFirst() {
            other.texts.forEachEntry { entry in
                let merged = first.texts.entry(of: entry.bytes, hash: entry.hash)
                merged.pointee.note.add(entry.note)
            }
        }
        var ranking = TopValues(limit: limit)
        first.texts.forEachEntry { ranking.add($0) }
        var found = ranking.best.map { entry in
            ValueCompletion(
                field: field, bookCount: Int(entry.note.count), value: Array(entry.bytes),
                book: BookID(entry.note.first))
        }
        for bits in 0..<(workers.contains { !$0.languages.isEmpty } ? 1 << 15 : 0) {
            var tally = FacetAccumulator.Tally()
            for worker in workers where !worker.languages.isEmpty && worker.languages[bits].count > 0 {
                tally.add(worker.languages[bits])
            }
            if tally.count > 0, let language = language(LanguageCode(bits: UInt16(bits)), tally) {
                found.append(language)
            }
        }
        return Array(
            found.sorted { ($1.bookCount, $0.book) < ($0.bookCount, $1.book) }.prefix(limit))
    }

    /// Returns the completion for a language if its name or code starts with what was typed.
    private func language(_ code: LanguageCode, _ tally: FacetAccumulator.Tally) -> ValueCompletion? {
        let completion = ValueCompletion(
            field: .language, bookCount: Int(tally.count), value: Array(code.text.utf8), book: BookID(tally.first))
        let name = [UInt8](folding: LanguageTag(code.text)?.englishName ?? code.text)
        let isFound = name.withUnsafeBufferPointer(hasWord) || completion.value.starts(with: typed)
        return isFound ? completion : nil
    }
}

extension UInt8 {
    /// Whether this byte of normalized text belongs to a letter or digit.
    fileprivate var isPartOfWord: Bool { isASCIILetter || isASCIIDigit || self >= 0x80 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a word of this normalized text starts with `typed`; one does if that is empty.
    func hasWord(startingWith typed: [UInt8]) -> Bool {
        guard let first = typed.first else { return true }
        if count < typed.count { return false }
        for start in 0...(count - typed.count) where self[start] == first {
            let isStart = start == 0 || !self[start - 1].isPartOfWord
            if isStart, self[start...].starts(with: typed) { return true }
        }
        return false
    }
}
