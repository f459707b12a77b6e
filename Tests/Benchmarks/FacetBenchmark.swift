@testable import Indexing
@testable import Search
@testable import Threading

/// Measures counting and grouping the books of a catalog.
struct FacetBenchmark {
    private let index: BookIndex
    private let lists: [(name: String, list: BookList)]
    private let textCount: Int
    private let subject: Subject

    init(_ subject: Subject) {
        self.subject = subject
        index = subject.books()
        textCount = index.segments.reduce(0) { $0 + $1.text.count }
        let count = index.count
        // In an order that is unrelated to the catalog's.
        let shuffled = (0..<count).map { $0 * 611_953 % max(1, count) }
        lists = [
            ("all", BookList(allOf: count)), ("shuffled", BookList(Set(shuffled).map { BookID($0) })),
            ("1%", BookList(stride(from: 0, to: count, by: 100).map { BookID($0) })),
        ]
    }

    func countFacets() {
        for threadCount in [1, 2] {
            let pool = ThreadPool(threadCount: threadCount)
            for (name, list) in lists {
                Sample {
                    let count = index.countFacets(of: list, on: pool)
                    while count.wait(milliseconds: 1000) == nil {}
                    return (textCount, list.count)
                }.print("facets of \(name), \(threadCount) threads", of: subject)
            }
        }
    }

    func countStatistics() {
        for threadCount in [1, 2] {
            let pool = ThreadPool(threadCount: threadCount)
            for (name, list) in lists {
                Sample {
                    let count = index.countStatistics(of: list, on: pool)
                    while count.wait(milliseconds: 1000) == nil {}
                    return (textCount, list.count)
                }.print("statistics of \(name), \(threadCount) threads", of: subject)
            }
        }
    }

    func group() {
        for threadCount in [1, 2] {
            let pool = ThreadPool(threadCount: threadCount)
            for (name, list) in lists {
                for key in SectionKey.ofEveryBook {
                    Sample {
                        let grouping = index.sections(of: list, by: key, on: pool)
                        while grouping.wait(milliseconds: 1000) == nil {}
                        return (textCount, list.count)
                    }.print("sections of \(name) by \(key), \(threadCount) threads", of: subject)
                }
            }
        }
    }
}
