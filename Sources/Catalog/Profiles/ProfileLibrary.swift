public import Storage
internal import Text

/// The profiles by which a catalog can be read: those that are part of the program, and the reader's own.
public struct ProfileLibrary: Sendable {
    /// The reader's own profiles, by the names of their files.
    public let ownProfiles: [OwnProfile]
    /// The reader's files that are no profiles.
    public let problems: [Problem]
    /// The directory of the reader's profiles; nil where there is none to be had.
    public let directory: String?

    /// A profile with the file that it is in.
    public struct OwnProfile: Hashable, Sendable {
        /// The profile.
        public let profile: Profile
        /// The path of its file.
        public let file: String
    }

    /// A file that is no profile.
    public struct Problem: Hashable, Sendable {
        /// Its path.
        public let file: String
        /// What is wrong with it: the file, the line and what was expected.
        public let sentence: String
    }

    /// Why there is no profile to be had from a file.
    public enum Refusal: Error, Hashable, Sendable {
        /// The file cannot be read.
        case unreadable(FileError)
        /// The file is no profile; the sentence says where and what was expected.
        case bad(String)
    }

    /// The built-in profiles, and those in the files "*.json" of `directory`. Where there is no such directory, that costs one
    /// call of the system and no more.
    public init(directory: String?) {
        self.directory = directory
        var own: [OwnProfile] = []
        var problems: [Problem] = []
        if let directory {
            do throws(FileError) {
                for name in try fileNames(inDirectory: directory) where name.hasSuffix(".json") {
                    let file = directory + "/" + name
                    do throws(Refusal) {
                        own.append(OwnProfile(profile: try Self.profile(inFile: file), file: file))
                    } catch {
                        problems.append(Problem(file: file, sentence: error.sentence))
                    }
                }
            } catch {
                if !error.isMissing {
                    problems.append(Problem(file: directory, sentence: Refusal.unreadable(error).sentence))
                }
            }
        }
        ownProfiles = own
        self.problems = problems
    }

    /// The profile that a file is.
    public static func profile(inFile path: String) throws(Refusal) -> Profile {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try ReadOnlyFile.bytes(at: path)
        } catch {
            throw .unreadable(error)
        }
        do throws(ProfileSyntaxError) {
            return try Profile(parsing: bytes)
        } catch {
            throw .bad(error.sentence(in: abbreviatedPath(path)))
        }
    }

    /// The profile of this name: the reader's own, of several the last, else the built-in one. Nil where there is none.
    public func profile(named name: String) -> Profile? {
        ownProfiles.last { $0.profile.name == name }?.profile ?? Profile.builtIn(named: name)
    }

    /// The names of all profiles, each once: the built-in ones first.
    public var names: [String] { (Profile.builtInNames + ownProfiles.map(\.profile.name)).uniqued() }

    /// The reader's profile for the file at `path`: the one with the pattern that describes it most closely, which is the one
    /// with the most characters that stand for themselves; of several such the last. Nil where none is for it.
    public func profile(forCatalog path: String) -> Profile? {
        var best: (closeness: Int, profile: Profile)?
        for own in ownProfiles {
            guard let closeness = own.profile.closeness(toFile: path), closeness >= best?.closeness ?? 0 else {
                continue
            }
            best = (closeness, own.profile)
        }
        return best?.profile
    }
}

extension ProfileLibrary.Refusal {
    /// What is wrong, on one line and without a full stop.
    public var sentence: String {
        switch self {
        case .unreadable(let error): "the profile \(abbreviatedPath(error.path)) cannot be read, \(error.cause)"
        case .bad(let sentence): sentence
        }
    }
}
