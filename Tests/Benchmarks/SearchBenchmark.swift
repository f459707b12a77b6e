import CText
import Glibc
import Storage

@testable import Catalog
@testable import Indexing
@testable import Search
@testable import Threading

/// Measures searches in the index of a catalog.
struct SearchBenchmark {
    private let index: BookIndex
    private let scope: BookSearch.Scope
    private let pool = ThreadPool()
    private let textCount: Int
    private let subject: Subject

    init(_ subject: Subject) {
        self.subject = subject
        index = subject.books()
        scope = BookSearch.Scope(BookList(allOf: index.count), of: index)
        textCount = index.segments.reduce(0) { $0 + $1.text.count }
        // The first search starts the threads and allocates memory.
        _ = BookSearch(Query("warm up"), in: scope, on: pool).wait(milliseconds: 10_000)
    }

    func run() {
        // Repeats one query, for a profiler.
        if let query = environmentValue("STACKS_BENCHMARK_QUERY") {
            for _ in 0..<100 { sample("query \(query)", after: nil, query) }
            return
        }
        // Terms without matches: scans the column only, on one thread.
        for needle in ["zyzzyvas", "qxj", "quokkas nest", "εζη"] {
            Sample {
                var found = 0
                let bytes = Array(needle.utf8)
                for segment in index.segments {
                    guard let text = segment.text.baseAddress else { continue }
                    let place = text_find(text, segment.text.count, 0, bytes, bytes.count)
                    if place < segment.text.count { found += 1 }
                }
                return (textCount, found)
            }.print("column of \(needle)", of: subject)
        }
        for word in ["zyzzyva", "garden", "the", "e", "river stephen", "king mikhail"] { type(word) }
        for query in [
            "river", "e", "th", "-the", "year:1990..1999", "pages:>500 garden", "author:king | garden", "language:fr",
            "/gard.n of/", "/(a+)+$/", "subject:=fantasy", "has:description",
        ] {
            sample("query \(query)", after: nil, query)
        }
        for query in ["gardne", "stephne", "xyz", "river xyzzyva", "author:kingg", "-the -a -e"] { explain(query) }
        for query in ["", "zyzzyva", "garden", "the e o", "/gard.n/"] { mark(query) }
    }

    /// Diagnoses why a query has no results.
    private func explain(_ text: String) {
        Sample {
            let found = NoResultsDiagnosis(of: Query(text), in: scope, on: pool)
            return (textCount, found?.spellings.count ?? 0)
        }.print("explain \(text)", of: subject)
    }

    /// Highlights the matches of a query in a screenful of titles, a thousand times.
    private func mark(_ text: String) {
        let titles = (0..<80).map { "The \($0)th Secret Garden of the Stra\u{DF}e, and Other Stories from the River" }
        let finder = MatchHighlighter(Query(text))
        Sample {
            var found = 0
            for _ in 0..<1000 { for title in titles { found += finder.ranges(in: title, field: .title).count } }
            return (titles.reduce(0) { $0 + $1.utf8.count } * 1000, found)
        }.print("mark \(text)", of: subject)
    }

    /// Types a word letter by letter, like a user in the search bar.
    private func type(_ word: String) {
        var earlier: SearchResult?
        for count in 1...word.count {
            let text = String(word.prefix(count))
            earlier = sample("type \(text)", after: earlier, text)
        }
    }

    @discardableResult
    private func sample(_ name: String, after earlier: SearchResult?, _ text: String) -> SearchResult? {
        var result: SearchResult?
        Sample {
            let search = BookSearch(Query(text), in: scope, after: earlier, on: pool)
            while !search.wait(milliseconds: 1000) {}
            result = search.result
            return (textCount, search.result.list.count)
        }.print(name, of: subject)
        return result
    }
}

extension Subject {
    /// Returns the index of all books.
    func books() -> BookIndex {
        let scanner = ChunkScheduler(file, layout)
        var worker = ChunkScheduler.Worker(for: scanner)
        var index = BookIndex()
        while let content = scanner.scanNext(with: &worker) { content.segments.forEach { index.append($0) } }
        return index
    }
}
