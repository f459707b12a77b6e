import Glibc
import Testing

@testable import Storage

@Suite("Files: conditions") struct FileConditionTests {
    private let directory = TemporaryDirectory()

    /// Returns the code of the refusal to read a file; nil if it is read.
    private func refusal(of name: String, if condition: FileCondition) -> Int32? {
        do throws(FileError) {
            #expect(try ReadOnlyFile.bytes(at: directory(name), if: condition).text == "x")
            _ = try RandomAccessInput(directory(name), if: condition)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        arguments: [
            (0o600, nil), (0o644, nil), (0o664, nil), (0o666, EACCES), (0o602, EACCES),
        ] as [(mode_t, Int32?)])
    func aTrustedFileIsOneThatOthersCannotWrite(mode: mode_t, code: Int32?) {
        directory.put("x", at: "file", mode: mode)
        #expect(refusal(of: "file", if: .trusted) == code)
        #expect(refusal(of: "file", if: .none) == nil)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func aTrustedFileBelongsToTheUserAndToNoOtherGroup() {
        directory.put("x", at: "file", mode: 0o664)
        #expect(chown(directory("file"), geteuid(), 65534) == 0)
        #expect(refusal(of: "file", if: .trusted) == EACCES)
        #expect(chmod(directory("file"), 0o644) == 0)
        #expect(refusal(of: "file", if: .trusted) == nil)
        #expect(chown(directory("file"), 65534, getegid()) == 0)
        #expect(refusal(of: "file", if: .trusted) == EPERM)
        #expect(refusal(of: "file", if: .own) == EPERM)
        #expect(!isOwnFile(directory("file")))
        #expect(refusal(of: "file", if: .none) == nil)
    }

    @Test func aLinkIsTrustedButNotOwn() {
        directory.put("x", at: "file")
        symlink(directory("file"), directory("link"))
        #expect(refusal(of: "link", if: .trusted) == nil)
        #expect(refusal(of: "link", if: .own) == ELOOP)
        #expect(!isOwnFile(directory("link")))
        #expect(refusal(of: "file", if: .own) == nil)
        #expect(isOwnFile(directory("file")))
        link(directory("file"), directory("name"))
        #expect(refusal(of: "file", if: .own) == EMLINK)
        #expect(!isOwnFile(directory("file")))
        #expect(!isOwnFile(directory.path) && !isOwnFile(directory("missing")))
    }

    @Test(
        arguments: [(0o700, nil), (0o755, nil), (0o775, nil), (0o777, EACCES), (0o1777, EACCES)] as [(mode_t, Int32?)])
    func aTrustedDirectoryIsOneThatOthersCannotWrite(mode: mode_t, code: Int32?) {
        #expect(FileError(distrustingDirectory: directory("cache")) == nil)
        mkdir(directory("cache"), 0o700)
        chmod(directory("cache"), mode)
        symlink(directory("cache"), directory("link"))
        for name in ["cache", "link"] {
            let error = FileError(distrustingDirectory: directory(name))
            #expect(error == code.map { FileError(path: directory(name), operation: .trust, code: $0) })
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func aDirectoryOfAnotherUserIsNotTrusted() {
        mkdir(directory("cache"), 0o700)
        symlink(directory("cache"), directory("link"))
        #expect(lchown(directory("link"), 65534, 65534) == 0)
        #expect(FileError(distrustingDirectory: directory("link"))?.code == EPERM)
        #expect(FileError(distrustingDirectory: directory("cache")) == nil)
        #expect(chown(directory("cache"), 65534, 65534) == 0)
        #expect(FileError(distrustingDirectory: directory("cache"))?.code == EPERM)
    }
}
