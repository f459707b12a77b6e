internal import Browser
internal import Catalog
internal import Glibc
internal import Storage
internal import Text

/// By which profile a catalog is read: the one that the reader names, else the reader's own that is for it, else one that is
/// found by what the catalog has.
struct ProfileChoice {
    /// The profile; nil where it is to be found by what the catalog has.
    var profile: Profile?
    /// What the reader must know about profiles that cannot be read.
    var notices: [String] = []
    /// Whether the reader named it.
    private let isNamed: Bool
    private let library: ProfileLibrary

    /// The profile that `name` is the name or the file of; without a name the one in `library` for the catalog at `path`.
    init(named name: String?, forCatalog path: String, in library: ProfileLibrary) throws(CommandError) {
        isNamed = name != nil
        self.library = library
        guard let name else {
            notices = library.problems.map { "\($0.sentence); this profile is passed over" }
            if path != "-" {
                profile = resolvedPath(path).flatMap(library.profile(forCatalog:)) ?? library.profile(forCatalog: path)
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
                            ? "there is no file \(name) with a profile: check the path" : error.sentence,
                        exitStatus: cause.isForbidden ? ExitStatus.noPermission : ExitStatus.noInput)
                }
            }
            return
        }
        // A file of that name was meant to hide what comes with stacks.
        let bad = library.problems.filter { $0.file.hasSuffix("/\(name).json") }
        notices = bad.map { Self.passedOver($0.sentence) }
        profile = library.profile(named: name)
        if profile == nil, bad.isEmpty {
            throw CommandError(
                sentence: "there is no profile \"\(name)\", but \(library.names.nearest(to: name).asChoice): "
                    + "stacks profiles lists them all",
                exitStatus: ExitStatus.usage)
        }
    }

    /// The catalog at `path`, loaded as far as is needed for a screen. Where a profile that nobody named has its records
    /// elsewhere, the catalog is read as it looks, which is told.
    mutating func catalog(at path: String, cache: IndexCache? = nil) throws(CatalogError) -> JSONFileCatalog {
        let rows = App.listRows(inWindowOf: outputSize().rows)
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
            "your profile \(profile.name) is for this catalog, but finds no records in it, and is passed over")
        self.profile = nil
        return other
    }

    private static func passedOver(_ sentence: String) -> String { "\(sentence); the catalog is read without it" }
}

extension ProfileLibrary {
    /// The profiles that come with stacks, and the reader's in `directories`.
    init(in directories: Directories) {
        self.init(directory: directories.config.map { $0 + "/profiles" })
    }
}
