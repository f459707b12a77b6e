import Glibc
import Testing

@testable import Storage

@Suite("Locks of files") struct FileLockTests {
    private let directory = TemporaryDirectory()

    @Test func aLockIsHeldAsLongAsTheObjectLives() throws {
        var lock = try FileLock(path: directory.path + "/lock")
        #expect(lock != nil)
        #expect(try FileLock(path: directory.path + "/lock") == nil)
        lock = nil
        #expect(try FileLock(path: directory.path + "/lock") != nil)
    }

    /// A program that is being started has copies of all descriptors until it runs.
    @Test func aCopyOfTheDescriptorDoesNotKeepTheLock() throws {
        var lock = try FileLock(path: directory.path + "/lock")
        let number = try #require(lock.map { $0.file.number })
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
        #expect(copy > 0)
        defer { close(copy) }
        lock = nil
        #expect(try FileLock(path: directory.path + "/lock") != nil)
    }
}
