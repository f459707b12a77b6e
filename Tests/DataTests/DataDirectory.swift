import Foundation
import Storage
import Testing

/// The catalogs in the directory STACKS_DATA. The tests fail if the variable or a file is missing.
enum DataDirectory {
    /// Returns the path of an existing file or directory.
    static func path(_ name: String) throws -> String {
        let directory = try #require(environmentValue("STACKS_DATA"), "STACKS_DATA names no directory of catalogs")
        let path = directory + "/" + name
        try #require(FileManager.default.fileExists(atPath: path), "\(path) is missing")
        return path
    }

    /// Returns the bytes of a file.
    static func bytes(_ name: String) throws -> [UInt8] {
        try ReadOnlyFile.bytes(at: path(name))
    }

    /// Returns the sorted names of the files in a directory.
    static func files(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }
}
