@testable import Indexing
@testable import Search
@testable import Threading

/// Measures collecting the names of a catalog, and finding titles and names by their letters.
struct JumpBenchmark {
    private let index: BookIndex
    private let textCount: Int
    private let subject: Subject

    init(_ subject: Subject) {
        self.subject = subject
        index = subject.books()
        textCount = index.segments.reduce(0) { $0 + $1.text.count }
    }

    func run() {
        for threadCount in [1, 2] {
            let pool = ThreadPool(threadCount: threadCount)
            let count = index.count
            var columns: NameColumns?
            Sample {
                columns = index.nameColumns(on: pool)
                return (textCount, count)
            }.print("columns of names, \(threadCount) threads", of: subject)
            guard let columns else { return }
            Sample {
                _ = BooksByName(authors: columns.authors, series: columns.series)
                return (textCount, count)
            }.print("books by name", of: subject)
            var names: DistinctNames?
            Sample {
                names = DistinctNames(columns)
                return (textCount, names?.count ?? 0)
            }.print("distinct names", of: subject)
            for typed in ["", "s", "st", "sto", "stor", "storm", "th mo", "zqx"] {
                let pattern = FuzzyPattern(typed)
                Sample {
                    let search = JumpSearch(pattern, in: index, names, on: pool)
                    while !search.wait(milliseconds: 1000) {}
                    return (textCount, search.result.matchCount)
                }.print("jump to “\(typed)”, \(threadCount) threads", of: subject)
            }
            // What a reader sees of the first key after ten milliseconds.
            let search = JumpSearch(FuzzyPattern("s"), in: index, names, on: pool)
            search.wait(milliseconds: 10)
            let first = search.result
            while !search.wait(milliseconds: 1000) {}
            let last = Set(search.result.candidates.map(\.book))
            let kept = first.candidates.prefix(20).filter { last.contains($0.book) }.count
            print("{\"name\": \"first candidates\", \"shown\": \(first.candidates.count), \"of 20 final\": \(kept)}")
        }
    }
}
