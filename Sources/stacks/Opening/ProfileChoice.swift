internal import Catalog
internal import Glibc
internal import Library
internal import Storage
internal import Text

/// The choice of a profile for a catalog: the one given by the user, otherwise a user profile for this catalog,
/// otherwise one detected from the contents.
struct ProfileChoice {
    /// The profile; nil to detect it from the contents.
    var profile: Profile?
    /// The notices about unreadable profiles.
    var notices: [String] = []
    /// Whether the user named the profile.
    private let isNamed: Bool
    let library: ProfileLibrary

    /// Chooses the profile with this name or file; without a name, the one in `library` for the catalog at `path`.
    init(named name: String?, forCatalog path: String, in library: ProfileLibrary) throws(CommandError) {
        isNamed = name != nil
        self.library = library
        guard let name else {
            notices = library.problems.map { CommandMessage.profileSkipped.text($0.sentence) }
            if path != "-" {
                profile =
                    CatalogName.absolutePath(path).flatMap(library.profile(forCatalog:))
                    ?? library.profile(forCatalog: path)
            }
            return
        }
        if name.contains("/") || name.hasSuffix(".json") {
            do throws(ProfileLibrary.Refusal) {
                profile = try ProfileLibrary.profile(inFile: name)
            } catch {
                switch error {
                case .bad(let sentence): notices = [Self.passedOver(sentence)]
                case .unreadable(let cause):
                    throw CommandError(
                        sentence: cause.isMissing
                            ? CommandMessage.noProfileFile.text(name) : error.sentence,
                        exitStatus: cause.exitStatus(else: ExitStatus.noInput))
                }
            }
            return
        }
        // A broken file with this name was meant to replace the built-in profile.
        let bad = library.problems.filter { $0.file.hasSuffix("/\(name).json") }
        notices = bad.map { Self.passedOver($0.sentence) }
        profile = library.profile(named: name)
        if profile == nil, bad.isEmpty {
            throw CommandError(
                sentence: CommandMessage.unknownProfile.text(name, library.names.nearest(to: name).asChoice),
                exitStatus: ExitStatus.usage)
        }
    }

    /// Opens the catalog at `path` and reads as much as a screen needs. If an automatically chosen profile finds no
    /// records, the format is detected instead, and a notice is added.
    mutating func catalog(at path: String, cache: IndexCache? = nil) throws(CatalogError) -> JSONFileCatalog {
        let rows = outputSize().rows
        let catalog = JSONFileCatalog(
            path: path, cache: cache, profile: profile, library: library, firstBookCount: rows)
        var refusal: CatalogError
        do throws(CatalogError) {
            try catalog.open()
            return catalog
        } catch {
            refusal = error
        }
        guard !isNamed, let profile, case .notACatalog = refusal, !RandomAccessInput.isPipe(path) else { throw refusal }
        let other = JSONFileCatalog(path: path, cache: cache, library: library, firstBookCount: rows)
        do throws(CatalogError) {
            try other.open()
        } catch {
            throw refusal
        }
        notices.append(
            CommandMessage.profileFindsNothing.text(profile.name))
        self.profile = nil
        return other
    }

    private static func passedOver(_ sentence: String) -> String { CommandMessage.profileSkipped.text(sentence) }
}

extension ProfileLibrary {
    /// Creates a library of the built-in profiles and the user's in `directories`.
    init(in directories: Directories) {
        self.init(directory: directories.config.map { $0 + "/profiles" })
    }
}
