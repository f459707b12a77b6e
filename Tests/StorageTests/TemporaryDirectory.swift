import Foundation
import Glibc

/// An empty directory for a test, which is deleted when the test ends.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/stacks-tests-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no directory could be made below /tmp")
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Returns the path of `name` in the directory.
    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file without the code under test, with exactly this mode.
    func put(_ text: String, at name: String, mode: mode_t = 0o644) {
        let file = open(self(name), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        precondition(file >= 0, "\(name) cannot be written")
        let bytes = Array(text.utf8)
        precondition(write(file, bytes, bytes.count) == bytes.count, "\(name) cannot be written")
        fchmod(file, mode)
        close(file)
    }

    /// Appends to a file without the code under test.
    func add(_ text: String, to name: String) {
        put((self.text(of: name) ?? "") + text, at: name)
    }

    /// Returns the text of a file, read without the code under test, if the file exists.
    func text(of name: String) -> String? {
        guard let file = fopen(self(name), "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the status of a file, or of the link itself if it is one; nil if it does not exist.
    func status(of name: String) -> stat? {
        var status = stat()
        return lstat(self(name), &status) == 0 ? status : nil
    }

    /// Returns the permissions of a file, if it exists.
    func mode(of name: String) -> mode_t? { status(of: name).map { $0.st_mode & 0o7777 } }

    /// Whether a file is a symbolic link.
    func isLink(_ name: String) -> Bool { status(of: name).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    /// The sorted names in the directory.
    var names: [String] { Self.names(in: path) }

    /// Returns the sorted names in any directory; empty if the directory does not exist.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            for name in names(in: path) { remove(path + "/" + name) }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}

extension Collection<UInt8> {
    /// The bytes as text.
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// Runs `work` on `count` threads at once, each with its number, and waits for all of them.
func onThreads(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for number in 0..<count {
            group.addTask {
                await withUnsafeContinuation { continuation in
                    Thread.detachNewThread {
                        work(number)
                        continuation.resume()
                    }
                }
            }
        }
    }
}
