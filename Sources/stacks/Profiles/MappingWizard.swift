internal import Books
internal import Catalog
internal import Glibc
internal import Library
internal import Storage
internal import Text

/// The command `stacks profiles new`: finds the fields of a catalog and saves their paths as a profile.
struct MappingWizard {
    /// The path of the catalog.
    let catalog: String
    /// The passwords for the server, if the catalog is on one.
    var passwords: ServerPasswords?
    /// The encoding of the catalog as the user names it; nil to detect it.
    var encoding: String?
    /// Whether to ask the user.
    let asks: Bool
    /// Whether to replace a profile of the same name.
    let replaces: Bool
    /// The name of the profile given by the user, if any.
    let name: String?
    /// The path of the records given by the user, if any.
    let recordPath: String?

    /// Creates the profile.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        do throws(CommandError) {
            try make()
            return 0
        } catch {
            return error.report()
        }
    }

    private func make() throws(CommandError) {
        if asks, catalog == "-" {
            throw CommandError(
                sentence: CommandMessage.answersAreInput.text(),
                exitStatus: ExitStatus.usage)
        }
        if let name, !Self.isName(name) { throw Self.badName(name) }
        guard let directory = Directories.ofEnvironment().config.map({ $0 + "/profiles" }) else {
            throw CommandError(
                sentence: CommandMessage.noProfileDirectory.text(), exitStatus: ExitStatus.usage)
        }
        let sample = try sample()
        let proposal = MappingSuggestion(for: sample.records, knownAs: sample.format?.generalMapping)
        if proposal.rules.isEmpty, !asks {
            throw CommandError(
                sentence: CommandMessage.noFieldFound.text(sample.count.of("record"), Self.text(sample.paths)),
                exitStatus: ExitStatus.badData)
        }
        var dialogue = MappingDialogue(proposal, asks: asks)
        let (name, count) = (RandomAccessInput.shownPath(catalog), sample.count.of("record"))
        let (paths, sampled) = (Self.text(sample.paths), sample.records.count)
        dialogue.say(
            sampled < sample.count
                ? WizardMessage.headingOfSample.text(name, count, paths, sampled.grouped)
                : WizardMessage.heading.text(name, count, paths))
        guard let rules = dialogue.rules() else {
            dialogue.say(WizardMessage.nothingSaved.text())
            return
        }
        if rules.isEmpty {
            dialogue.say(WizardMessage.noFieldHasPath.text())
            return
        }
        guard let (own, hidden) = dialogue.ownFields(besides: rules) else {
            dialogue.say(WizardMessage.nothingSaved.text())
            return
        }
        func text(name: String, catalogs: [String]) -> String {
            Profile.text(
                name: name, records: sample.paths, rules: rules, own: own, hidden: hidden, catalogs: catalogs)
        }
        try save(text, in: directory, &dialogue)
    }

    private func sample() throws(CommandError) -> RecordSample {
        var path: FieldPath?
        if let recordPath {
            do throws(FieldPathSyntaxError) {
                path = try FieldPath(recordPath)
            } catch {
                throw CommandError(
                    sentence:
                        WizardMessage.malformedPath.text(
                            recordPath, error.expected.rawValue, String(error.offset + 1)),
                    exitStatus: ExitStatus.usage)
            }
        }
        let found: RecordSample
        do throws(RecordSample.Refusal) {
            found = try RecordSample(ofCatalogAt: catalog, at: path)
        } catch {
            if case .catalog = error,
                let copy = try ForeignSource.copy(
                    of: CatalogName(path: catalog, passwords: passwords), copying: CopyChoice(encoding: encoding)),
                let found = try? RecordSample(ofCatalogAt: copy, at: path), !found.records.isEmpty
            {
                return found
            }
            let name = RandomAccessInput.shownPath(catalog)
            switch error {
            case .catalog(let error): throw CommandError(sentence: error.sentence, exitStatus: error.exitStatus)
            case .nothing(let path):
                throw CommandError(
                    sentence: CommandMessage.noObjectsAtPath.text(name, path.description),
                    exitStatus: ExitStatus.badData)
            case .tooLong:
                throw CommandError(
                    sentence: CommandMessage.tooLargeToSample.text(name),
                    exitStatus: ExitStatus.badData)
            case .changed:
                throw CommandError(
                    sentence: CommandMessage.changedWhileReading.text(name), exitStatus: ExitStatus.changed)
            }
        }
        if found.records.isEmpty {
            throw CommandError(
                sentence:
                    CommandMessage.noRecordsToSample.text(RandomAccessInput.shownPath(catalog)),
                exitStatus: ExitStatus.badData)
        }
        return found
    }

    private static func text(_ paths: [FieldPath]) -> String { paths.map(\.description).joined(separator: ", ") }

    // MARK: Saving

    private func save(
        _ text: (_ name: String, _ catalogs: [String]) -> String, in directory: String,
        _ dialogue: inout MappingDialogue
    ) throws(CommandError) {
        var mayReplace = replaces
        var chosen = name
        while true {
            guard let name = chosen ?? dialogue.name(proposed: Self.name(for: catalog), isRight: Self.isName) else {
                dialogue.say(WizardMessage.nothingSaved.text())
                return
            }
            let file = AtomicFile(path: "\(directory)/\(name).json")
            let catalogs = catalog == "-" ? [] : [CatalogName.absolutePath(catalog) ?? catalog]
            if try write(text(name, catalogs), to: file, replacing: mayReplace) {
                dialogue.say(WizardMessage.saved.text(abbreviatedPath(file.path)))
                showUsage(name, in: directory, &dialogue)
                return
            }
            guard asks else {
                throw CommandError(
                    sentence:
                        CommandMessage.profileExists.text(abbreviatedPath(file.path)),
                    exitStatus: ExitStatus.cannotCreate)
            }
            guard let answer = dialogue.mayReplace(abbreviatedPath(file.path)) else {
                dialogue.say(WizardMessage.nothingSaved.text())
                return
            }
            mayReplace = answer
            // Ask for another name if the file must be kept.
            chosen = answer ? name : nil
        }
    }

    /// - Returns: Whether the file was written; false if it exists and must not be replaced.
    private func write(
        _ text: String, to file: AtomicFile, replacing mayReplace: Bool
    ) throws(CommandError) -> Bool {
        let text = Array(text.utf8)
        do throws(ProfileSyntaxError) {
            _ = try Profile(parsing: text)
        } catch {
            throw CommandError(
                sentence: CommandMessage.profileInvalid.text(error.sentence(in: file.path)),
                exitStatus: ExitStatus.usage)
        }
        var isWritten = true
        do throws(FileError) {
            try file.update { old in
                isWritten = old == nil || mayReplace
                return isWritten ? text : nil
            }
        } catch {
            throw CommandError(
                sentence: CommandMessage.profileNotSaved.text(abbreviatedPath(error.path), error.cause),
                exitStatus: error.exitStatus(else: ExitStatus.inputOutput))
        }
        return isWritten
    }

    private func showUsage(_ name: String, in directory: String, _ dialogue: inout MappingDialogue) {
        if catalog == "-" {
            dialogue.say(WizardMessage.useWith.text(name))
            return
        }
        let winner = ProfileLibrary(directory: directory).profile(
            forCatalog: CatalogName.absolutePath(catalog) ?? catalog)
        if let winner, winner.name != name {
            dialogue.say(WizardMessage.otherComesFirst.text(winner.name, name))
        } else {
            dialogue.say(WizardMessage.usedFromNowOn.text())
        }
    }

    // MARK: Names

    /// Returns a valid profile name derived from the catalog's file name.
    static func name(for catalog: String) -> String {
        if catalog == "-" { return "catalog" }
        let file = fileName(of: catalog)
        let stem = file.split(separator: ".").first.map(String.init) ?? file
        let words = stem.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let name = words.isEmpty ? "catalog" : words.joined(separator: "-")
        // A built-in profile must not be hidden unintentionally.
        return Profile.builtInNames.contains(name) ? "my-\(name)" : name
    }

    /// Returns whether the name is valid for a profile and its file.
    static func isName(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first.isNumber, name.utf8.count <= 100 else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || "-_. ".contains($0) } && !name.hasSuffix(".json")
    }

    private static func badName(_ name: String) -> CommandError {
        CommandError(
            sentence: CommandMessage.profileNameInvalid.text(name),
            exitStatus: ExitStatus.usage)
    }
}
