import Foundation
import Storage
import Testing

/// The catalogs that these tests read: the directory that STACKS_DATA names. Where it or a file is missing, they fail.
enum DataDirectory {
    /// The path of a file or directory in it, which is there.
    static func path(_ name: String) throws -> String {
        let directory = try #require(environmentValue("STACKS_DATA"), "STACKS_DATA names no directory of catalogs")
        let path = directory + "/" + name
        try #require(FileManager.default.fileExists(atPath: path), "\(path) is missing")
        return path
    }

    /// The bytes of a file in it.
    static func bytes(_ name: String) throws -> [UInt8] {
        try ReadOnlyFile.bytes(at: path(name))
    }

    /// The names of the files in a directory in it, sorted.
    static func files(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
    }
}
