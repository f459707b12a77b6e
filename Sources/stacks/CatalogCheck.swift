internal import Browser
internal import Catalog
internal import FoundationEssentials
internal import Glibc
internal import Storage
internal import TerminalUI

/// Reads a catalog to its end and says what is wrong with it.
struct CatalogCheck {
    private let path: String
    private let isJSON: Bool

    /// A check of the catalog at `path`.
    init(_ path: String, asJSON isJSON: Bool) {
        self.path = path
        self.isJSON = isJSON
    }

    /// What was found, as JSON has it.
    struct Verdict: Encodable, Hashable {
        /// Whether all of the text is JSON (RFC 8259), or each of its lines is.
        var valid: Bool
        /// How many books there are.
        var books = 0
        /// How many values are no books, or lines no JSON.
        var omitted = 0
        /// The first of them.
        var firstOmitted: Place?
        /// Where reading ended before the text did.
        var fault: Place?
        /// Why there is nothing to show.
        var error: String?

        /// A place in the text, and what is wrong there.
        struct Place: Encodable, Hashable {
            var line: Int
            var column: Int
            var byteOffset: Int
            var reason: String?
        }
    }

    /// Prints the verdict on standard output; what cannot be read at all is said on standard error.
    ///
    /// - Returns: The exit code.
    func run() -> Int32 {
        let store = BookStore(source: JSONFileSource(path: path))
        var failure: CatalogError?
        do throws(CatalogError) {
            try store.load()
        } catch {
            if case .unreadable = error {
                complain(error.sentence)
                return error.exitStatus
            }
            failure = error
        }
        while failure == nil, store.loadMore() {}
        let verdict = failure.map(Verdict.init) ?? Verdict(of: store)
        let sentence = failure?.sentence ?? "\(InputFile.shownPath(path)): \(verdict.sentence(defects: store.defects))"
        let text = isJSON ? verdict.json : sentence.harmless + "\n"
        let code = PlainList.write(text)
        if code != 0 { return code }
        if store.defects.failure != nil { return ExitStatus.inputOutput }
        return verdict.isFlawless ? 0 : ExitStatus.badData
    }
}

extension CatalogCheck.Verdict {
    fileprivate init(of store: BookStore) {
        let defects = store.defects
        self.init(
            valid: defects.isWellFormed, books: store.count,
            omitted: defects.omissionCount,
            firstOmitted: defects.omissions.first.map { Place($0.position, $0.reason) },
            fault: defects.fault.map { Place($0.position, $0.reason) })
    }

    fileprivate init(_ error: CatalogError) {
        self.init(valid: false, error: error.sentence)
        switch error {
        case .malformed(_, let fault): self.fault = Place(fault.position, fault.reason)
        case .notACatalog: valid = true
        case .empty, .wrongFormat, .unreadable: break
        }
    }

    fileprivate var isFlawless: Bool { valid && omitted == 0 && error == nil }

    fileprivate func sentence(defects: CatalogDefects) -> String {
        let count = books.of("book")
        guard let sentence = defects.sentence else { return "valid, \(count)" }
        return (valid ? "valid JSON, " : "not valid, ") + "\(count); \(sentence)"
    }

    fileprivate var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding strings and integers cannot fail.
        return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self) + "\n"
    }
}

extension CatalogCheck.Verdict.Place {
    fileprivate init(_ position: TextPosition, _ reason: JSONFault.Reason?) {
        self.init(
            line: position.line, column: position.column, byteOffset: position.byteOffset, reason: reason?.phrase)
    }
}
