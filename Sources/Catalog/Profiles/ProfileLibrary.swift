public import Storage
internal import Text

/// The available profiles: the built-in ones and the user's.
public struct ProfileLibrary: Sendable {
    /// The user's profiles by file name.
    public let userProfiles: [UserProfile]
    /// The user's files that are not valid profiles.
    public let problems: [Problem]
    /// The directory of the user's profiles, if there is one.
    public let directory: String?

    /// A user's profile with its file.
    public struct UserProfile: Hashable, Sendable {
        /// The profile.
        public let profile: Profile
        /// The path of the file.
        public let file: String
    }

    /// A file that is not a valid profile.
    public struct Problem: Hashable, Sendable {
        /// The path of the file.
        public let file: String
        /// The error message with file, line and expectation.
        public let sentence: String
    }

    /// The reason that a file yields no profile.
    public enum Refusal: Error, Hashable, Sendable {
        /// The file cannot be read.
        case unreadable(FileError)
        /// The file is not a valid profile; the message says where and why.
        case bad(String)
    }

    /// Creates a library of the built-in profiles and the files "*.json" in `directory`; a missing directory costs one
    /// system call.
    public init(directory: String?) {
        self.directory = directory
        var loaded: [UserProfile] = []
        var problems: [Problem] = []
        if let directory {
            do throws(FileError) {
                for name in try fileNames(inDirectory: directory) where name.hasSuffix(".json") {
                    let file = directory + "/" + name
                    do throws(Refusal) {
                        loaded.append(UserProfile(profile: try Self.profile(inFile: file, if: .trusted), file: file))
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
        userProfiles = loaded
        self.problems = problems
    }

    /// Reads a profile from a file, if it meets a condition.
    ///
    /// - Throws: `Refusal` if the file cannot be read or is not a valid profile.
    public static func profile(
        inFile path: String, if condition: FileCondition = .none
    ) throws(Refusal) -> Profile {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try ReadOnlyFile.bytes(at: path, if: condition)
        } catch {
            throw .unreadable(error)
        }
        do throws(ProfileSyntaxError) {
            return try Profile(parsing: bytes)
        } catch {
            throw .bad(error.sentence(in: abbreviatedPath(path)))
        }
    }

    /// Returns the profile with this name; the user's last one takes precedence over the built-in one.
    public func profile(named name: String) -> Profile? {
        userProfiles.last { $0.profile.name == name }?.profile ?? Profile.builtIn(named: name)
    }

    /// The names of all profiles without duplicates, built-in ones first.
    public var names: [String] { (Profile.builtInNames + userProfiles.map(\.profile.name)).uniqued() }

    /// Returns the user's profile whose pattern matches the file at `path` most specifically, by the number of literal
    /// characters; the last one of several.
    public func profile(forCatalog path: String) -> Profile? {
        var best: (closeness: Int, profile: Profile)?
        for userProfile in userProfiles {
            guard let closeness = userProfile.profile.closeness(toFile: path), closeness >= best?.closeness ?? 0 else {
                continue
            }
            best = (closeness, userProfile.profile)
        }
        return best?.profile
    }
}

extension ProfileLibrary.Refusal {
    /// The error message on one line, without a full stop.
    public var sentence: String {
        switch self {
        case .unreadable(let error): ProfileMessage.unreadable.text(abbreviatedPath(error.path), error.cause)
        case .bad(let sentence): sentence
        }
    }
}
