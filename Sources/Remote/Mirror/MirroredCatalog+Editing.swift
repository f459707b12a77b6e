package import ConnectorProtocol

/// Copying a source again for edits that are sent to its server.
extension MirroredCatalog {
    /// The kind of the source; nil before it is known.
    package var kind: String? { shown?.kind ?? copy?.opened?.kind }

    /// Whether the displayed copy is complete.
    package var isWhole: Bool { shown != nil && !isShowingCopy && report.problem == nil }

    /// The program that sends edits, if it is installed.
    package var sender: ConnectorProgram? {
        access.program.map { ConnectorProgram(path: $0, cache: directory.cache) }
    }

    /// Starts to copy the source again.
    package func copyNow() {
        (report.news, report.failure, report.smallerSource) = (nil, nil, nil)
        makeCopy()
    }

    /// Returns why the source was not copied, once that has ended. The news of it are discarded in favour of those of
    /// the edits, except the request for a password.
    package func takeFailureOfCopy() -> ConnectorFailure? {
        if report.failure?.kind == .auth { return report.failure }
        defer { report.news = nil }
        if let failure = report.failure { return failure }
        return switch report.news {
        case .failed(let failure)?: failure
        case .stopped?: ConnectorFailure(.cancelled)
        case .incomplete?: ConnectorFailure(.format, .cut)
        case nil, .complete?, .empty?, .readAs?, .copied?, .connecting?, .copying?, .copyingAgain?, .old?, .smaller?,
            .unreadable?, .passwordNeeded?, .unreachable?, .unchanged?:
            nil
        }
    }

    /// Discards the news about a complete copy: the user has seen them before, and they would replace the result of
    /// saving.
    package func discardNewsOfCopy() {
        switch report.news {
        case .complete?, .readAs?, .copied?: report.news = nil
        default: break
        }
    }
}
