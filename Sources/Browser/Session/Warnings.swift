internal import Catalog
internal import ConnectorProtocol
internal import Editing
internal import JSON
internal import Library
internal import Remote
internal import Shelves
internal import Storage
internal import TerminalUI

/// A warning that the title bar shows until its cause is gone.
public struct Warning: Hashable, Sendable {
    /// The label in the title bar.
    public let label: String
    /// The full message, with the next step.
    public let sentence: String

    /// Creates a warning.
    public init(_ label: String, _ sentence: String) {
        self.label = label
        self.sentence = sentence
    }
}

/// The warnings that cannot be derived from the catalog and the user data.
struct LastingWarnings {
    /// The warnings that apply until the browser ends.
    var ofStart: [Warning] = []
    /// Whether the catalog was changed on disk since it was read.
    var isChangedOnDisk = false
    /// The reason why the user data could not be read.
    var userDataProblem: String?
}

extension Session {
    /// The current warnings, the most serious first.
    var warnings: [Warning] {
        var found: [Warning] = []
        let store = library.store
        if !store.state.isLoading, let label = store.defects.label, let sentence = store.defects.sentence {
            found.append(Warning(label, sentence))
        }
        if let problem = store.mirrored?.problem {
            found.append(Warning(problem.label, problem.sentence(of: store.name)))
        }
        if case .failed(let failure, _)? = store.remote?.connection {
            found.append(
                Warning(failure.kind == .offline ? "offline" : "not answered", failure.sentence(of: store.name)))
        }
        if books.pipeline.rows.isPartial {
            found.append(Warning("incomplete", Message.listIncomplete.text(store.name, keyLabel(of: .reload))))
        }
        if lasting.isChangedOnDisk { found.append(Warning("changed on disk", changedOnDiskText)) }
        if let problem = lasting.userDataProblem { found.append(Warning("your data not read", problem)) }
        if let notice = library.userData.notice { found.append(Warning("your data damaged", notice)) }
        if let notice = library.userData.incompleteText { found.append(Warning("your data incomplete", notice)) }
        found += lasting.ofStart
        // If nothing can be saved at all, a warning of the start gives the cause.
        if lasting.ofStart.contains(where: { $0.label == Self.notKeptLabel }) { return found }
        if library.userData.hasUnsavedChanges {
            found.append(Warning("changes not saved", Message.lastChangesNotSaved.text()))
        }
        if let problem = preferences.problem ?? preferences.notice {
            found.append(Warning("place not remembered", problem))
        }
        return found
    }

    /// The message that the catalog changed on disk.
    var changedOnDiskText: String { Message.catalogChanged.text(keyLabel(of: .reload)) }

    /// The label of the warning that no change is kept.
    private static let notKeptLabel = "changes not kept"

    /// Returns the warning that no change is kept.
    public static func notKept(_ sentence: String) -> Warning { Warning(notKeptLabel, sentence) }
}

extension CatalogDefects {
    /// The label for the title bar; nil if there are no defects.
    fileprivate var label: String? {
        if failure != nil { return "file not readable" }
        if let syntaxError { return syntaxError.reason == .unexpectedEnd ? "file cut off" : "file damaged" }
        return omissionCount > 0 ? "\(omissionCount.of("item")) skipped" : nil
    }
}
