internal import Books
public import Editing
internal import Graphemes
internal import Storage

extension CatalogEditError {
    /// The error message with the next step, for a change of the catalog at `path`.
    public func sentence(changing path: String) -> String {
        switch self {
        case .pipe: Message.catalogIsPipe.text()
        case .foreign: Message.catalogIsForeign.text(path, path.asArgument)
        case .unordered: Message.serverHasNoOrder.text(path)
        case .tooManyAtOnce: Message.tooManyForServer.text(path)
        case .obstacle(.writeProtected): Message.catalogWriteProtected.text(path)
        case .obstacle(.directoryWriteProtected): Message.catalogDirectoryWriteProtected.text(path)
        case .obstacle(.otherOwner): Message.catalogOfOtherOwner.text(path)
        case .obstacle(.hardLinks): Message.catalogHasHardLinks.text(path)
        case .obstacle(.notAFile): Message.catalogNotAFile.text(path)
        case .recordGone: Message.recordGone.text(path)
        case .cannotHold(let field, let value?, let title):
            Message.fieldCannotHold.text(value.sanitized, field.info.label.lowercased(), title.sanitized)
        case .cannotHold(let field, nil, let title):
            Message.fieldCannotBeEmpty.text(field.info.label.lowercased(), title.sanitized)
        case .typeDiffers(let field, let value, _, let fitting):
            Message.typeDiffers.text(field.info.label, value.sanitized, fitting.description)
        case .notAValue(_, "", let title): Message.titleWouldBeEmpty.text(title.sanitized)
        case .notAValue(let field, let text, let title):
            Message.resultDoesNotFit.text(
                field.info.label, title.sanitized, text.sanitized, FieldInputError(field: field, text: text).kind)
        case .tooManySteps(let field, let title): Message.patternTooSlow.text(field.info.label, title.sanitized)
        case .notAList: Message.recordsNotInList.text(path)
        case .endless: Message.recordListDamaged.text(path)
        case .busy: Message.catalogBusy.text(path)
        case .unreadableAfterwards: Message.catalogUnreadableAfterwards.text(path)
        case .notSynchronized(let error): Message.catalogNotSynchronized.text(path, error.cause)
        case .file(let error): error.sentence(changing: path)
        case .journal(let error): error.sentence(changing: abbreviatedPath(error.path))
        case .loading: Message.catalogLoading.text()
        case .saving: Message.catalogSaving.text()
        case .stopped: Message.savingStopped.text(path)
        case .notKept: Message.editsNotKept.text()
        case .notARecord: Message.notARecord.text()
        case .changedSince: Message.changedSince.text(path)
        case .stepGone: Message.stepGone.text(path)
        case .unreadable(let error): error.sentence
        case .server(let failure): failure.sentence(savingTo: path)
        case .offline: Message.serverNotAsked.text(path)
        }
    }
}

extension FileError {
    /// The error message with the next step, for a change of the file at `path`, which stays unchanged.
    func sentence(changing path: String) -> String {
        if isOutOfSpace { return Message.catalogDiskFull.text(path) }
        if isOverQuota { return Message.catalogOverQuota.text(path) }
        return isForbidden ? Message.writingForbidden.text(path, cause) : Message.nothingWritten.text(path, cause)
    }
}

extension FittingValue {
    /// A description of values that fit.
    fileprivate var description: String {
        switch self {
        case .year: "a year alone, such as 1815"
        case .day: "a date with its day, such as 1815-12-23"
        case .number: "a number"
        case .oneValue: "one value alone"
        case .other: "a value like those of other books"
        }
    }
}
