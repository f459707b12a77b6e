internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import Remote
internal import Storage

/// The documented exit statuses, from sysexits.h.
enum ExitStatus {
    /// Nothing was found.
    static let nothingFound: Int32 = 1
    /// Usage error.
    static let usage: Int32 = 64
    /// The contents of the catalog are invalid.
    static let badData: Int32 = 65
    /// The file does not exist.
    static let noInput: Int32 = 66
    /// The server of the catalog cannot be reached.
    static let noNetwork: Int32 = 68
    /// The server of the catalog refused the request or failed.
    static let serverRefused: Int32 = 69
    /// The file cannot be created.
    static let cannotCreate: Int32 = 73
    /// Writing failed.
    static let inputOutput: Int32 = 74
    /// A file changed while it was read.
    static let changed: Int32 = 75
    /// Permission denied.
    static let noPermission: Int32 = 77
    /// The config file has errors.
    static let configuration: Int32 = 78

    /// What each exit status means, for the guide.
    static let meanings: [(status: Int32, meaning: String)] = [
        (0, "success, even if the reader of a pipe closes it early"),
        (nothingFound, "nothing found"),
        (usage, "usage error or unusable terminal"),
        (badData, "invalid catalog or import file; stacks read as much as possible"),
        (noInput, "no such file"),
        (noNetwork, "the server of the catalog cannot be reached"),
        (serverRefused, "the server of the catalog refused or failed, or does not have what was published"),
        (cannotCreate, "the file already exists"),
        (inputOutput, "reading or writing failed"),
        (changed, "the catalog changed while it was read, or the target of a publication since it was seen"),
        (noPermission, "permission denied, the bundled catalog would be changed, or a password is missing"),
        (configuration, "errors in the config file, which `stacks config` lists"),
    ]
}

extension CatalogDefects {
    /// The exit status after the valid part of the catalog was processed.
    var exitStatus: Int32 {
        if failure != nil { return ExitStatus.inputOutput }
        return syntaxError == nil ? 0 : ExitStatus.badData
    }
}

extension CatalogError {
    /// The exit status if the catalog cannot be opened.
    var exitStatus: Int32 {
        switch self {
        case .unreadable(let error): error.exitStatus(else: ExitStatus.noInput)
        case .empty, .wrongFormat, .malformed, .notACatalog: ExitStatus.badData
        }
    }
}

extension FileError {
    /// Returns the exit status for this error: that of missing permission, otherwise `status`.
    func exitStatus(else status: Int32) -> Int32 { isForbidden ? ExitStatus.noPermission : status }
}

extension Directories {
    /// The exit status of a command that needs a cache directory, if there is none.
    var noCacheExitStatus: Int32 { cacheDistrust == nil ? ExitStatus.usage : ExitStatus.noPermission }
}

extension BookStore {
    /// The exit status after the readable part of the catalog was processed.
    var exitStatus: Int32 {
        let status = defects.exitStatus
        if status == 0, let failure = mirrored?.failure, mirrored?.problem == nil { return failure.exitStatus }
        guard status == 0, let problem = mirrored?.problem else { return status }
        if case .failed(let failure) = problem { return failure.exitStatus }
        return ExitStatus.badData
    }
}

extension ConnectorFailure {
    /// The exit status if a source cannot be read, or only in part.
    var exitStatus: Int32 {
        switch (kind, reason) {
        case (.offline, .permission?): return ExitStatus.noPermission
        case (.offline, .noName?), (.offline, .noConnection?), (.offline, .timeOut?), (.offline, .brokenOff?),
            (.offline, .encryption?), (.offline, .portal?), (.offline, .proxyName?), (.offline, .proxyConnection?):
            return ExitStatus.noNetwork
        case (_, .status?), (_, .notHTTP?), (_, .certificate?), (_, .redirect?), (_, .redirects?),
            (_, .proxyRefused?), (_, .shard?), (_, .noCluster?), (_, .booksMissing?):
            return ExitStatus.serverRefused
        default: break
        }
        return switch kind {
        case .offline: ExitStatus.noInput
        case .auth: ExitStatus.noPermission
        case .busy, .server, .cancelled: ExitStatus.changed
        case .refused, .format, .unsupported: ExitStatus.badData
        case .request, .helper: ExitStatus.inputOutput
        }
    }
}

extension ConnectorFailure {
    /// The exit status if a file cannot be written.
    var exitStatusWriting: Int32 {
        switch kind {
        case .offline: reason == .permission ? ExitStatus.noPermission : ExitStatus.noInput
        case .busy, .cancelled: ExitStatus.changed
        case .refused, .unsupported: ExitStatus.cannotCreate
        case .format: ExitStatus.badData
        case .auth, .server, .request, .helper: ExitStatus.inputOutput
        }
    }
}

extension CatalogEditError {
    /// The exit status if the catalog cannot be changed.
    var exitStatus: Int32 {
        switch self {
        case .pipe, .foreign, .obstacle(.notAFile), .unordered, .tooManyAtOnce: ExitStatus.usage
        case .obstacle, .notKept: ExitStatus.noPermission
        case .recordGone, .busy, .loading, .saving, .stopped, .changedSince: ExitStatus.changed
        case .cannotHold, .typeDiffers, .notAValue, .tooManySteps, .notAList, .endless, .unreadableAfterwards,
            .notARecord, .stepGone:
            ExitStatus.badData
        case .notSynchronized: ExitStatus.inputOutput
        case .file(let error), .journal(let error): error.exitStatus(else: ExitStatus.inputOutput)
        case .unreadable(let error): error.exitStatus
        case .server(let failure): failure.exitStatus
        case .offline: ExitStatus.noNetwork
        }
    }
}

extension [ServerRefusal] {
    /// The exit status for refused changes; 0 if there are none.
    var exitStatus: Int32 {
        if contains(where: \.isConflict) { return ExitStatus.changed }
        if contains(where: { $0.row.reason == .server }) { return ExitStatus.serverRefused }
        return isEmpty ? 0 : ExitStatus.badData
    }
}
