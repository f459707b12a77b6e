import Glibc
import Synchronization
import Testing

@testable import Storage

@Suite("Files: watching for changes") struct FileWatchTests {
    private let directory = TemporaryDirectory()

    /// Counts the reports of a watch.
    private final class Counter: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        func increment() { value.withLock { $0 += 1 } }
    }

    /// Returns whether `counter` reaches `count` within some seconds.
    private func comes(_ counter: Counter, to count: Int) -> Bool {
        for _ in 0..<1000 {
            if counter.count >= count { return true }
            usleep(5000)
        }
        return false
    }

    private func watch(_ name: String, _ counter: Counter) throws -> FileWatch {
        try #require(FileWatch(directory(name)) { counter.increment() })
    }

    @Test func aWriteIsReported() throws {
        directory.put("one", at: "a")
        let counter = Counter()
        let watch = try watch("a", counter)
        directory.add("two", to: "a")
        #expect(comes(counter, to: 1))
        directory.add("three", to: "a")
        #expect(comes(counter, to: 2))
        withExtendedLifetime(watch) {}
    }

    @Test func manyWritesAreOneChange() throws {
        directory.put("", at: "a")
        let counter = Counter()
        let watch = try watch("a", counter)
        for _ in 0..<50 { directory.add("x", to: "a") }
        #expect(comes(counter, to: 1))
        #expect(counter.count <= 2)
        withExtendedLifetime(watch) {}
    }

    @Test func replacementAndDeletionAreReported() throws {
        directory.put("one", at: "a")
        directory.put("two", at: "b")
        let counter = Counter()
        let watch = try watch("a", counter)
        #expect(rename(directory("b"), directory("a")) == 0)
        #expect(comes(counter, to: 1))
        #expect(unlink(directory("a")) == 0)
        #expect(comes(counter, to: 2))
        withExtendedLifetime(watch) {}
    }

    @Test func otherFilesDoNotMatter() throws {
        directory.put("one", at: "a")
        let counter = Counter()
        let watch = try watch("a", counter)
        directory.put("two", at: "b")
        usleep(400_000)
        #expect(counter.count == 0)
        withExtendedLifetime(watch) {}
    }

    @Test func aLinkIsFollowed() throws {
        directory.put("one", at: "a")
        #expect(symlink("a", directory("link")) == 0)
        let counter = Counter()
        let watch = try watch("link", counter)
        directory.add("two", to: "a")
        #expect(comes(counter, to: 1))
        withExtendedLifetime(watch) {}
    }

    @Test func aMissingDirectoryIsNotWatched() {
        #expect(FileWatch(directory("missing")) {} == nil)
    }

    @Test func nothingIsReportedAfterTheWatchEnds() throws {
        directory.put("one", at: "a")
        let counter = Counter()
        do {
            let watch = try watch("a", counter)
            withExtendedLifetime(watch) {}
        }
        directory.add("two", to: "a")
        usleep(400_000)
        #expect(counter.count == 0)
    }
}
