internal import Catalog
internal import Storage

/// The documented exit codes, those of sysexits.h.
enum ExitStatus {
    /// Nothing was found.
    static let nothingFound: Int32 = 1
    /// Called in a way that cannot work.
    static let usage: Int32 = 64
    /// The catalog's content is wrong.
    static let badData: Int32 = 65
    /// There is no such file.
    static let noInput: Int32 = 66
    /// A file cannot be made, as there is one already.
    static let cannotCreate: Int32 = 73
    /// Writing failed.
    static let inputOutput: Int32 = 74
    /// A file was changed while it was read.
    static let changed: Int32 = 75
    /// The right is missing.
    static let noPermission: Int32 = 77
}

extension CatalogDefects {
    /// The exit code of a program that did with the rest of the catalog what it should.
    var exitStatus: Int32 {
        if failure != nil { return ExitStatus.inputOutput }
        return fault == nil ? 0 : ExitStatus.badData
    }
}

extension CatalogError {
    /// The exit code of a program that cannot open its catalog.
    var exitStatus: Int32 {
        switch self {
        case .unreadable(let error):
            error.isForbidden ? ExitStatus.noPermission : ExitStatus.noInput
        case .empty, .wrongFormat, .malformed, .notACatalog: ExitStatus.badData
        }
    }
}
