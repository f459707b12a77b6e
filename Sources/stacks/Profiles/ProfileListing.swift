internal import Catalog
internal import Glibc
internal import Graphemes
internal import Library
internal import Storage
internal import Text

/// The output of `stacks profiles`.
struct ProfileListing {
    /// The available profiles.
    let library: ProfileLibrary

    /// Creates a listing of the built-in profiles and the user's.
    init() { library = ProfileLibrary(in: Directories.ofEnvironment()) }

    /// Creates a listing of a library.
    init(of library: ProfileLibrary) { self.library = library }

    /// Prints all profiles, and error messages for unreadable ones to standard error.
    ///
    /// - Returns: The exit status.
    func run() -> Int32 {
        let code = PlainList.write(text)
        library.problems.forEach { printError($0.sentence) }
        return code
    }

    /// One line per profile: its name, its label, its origin and the profile that hides it, if any.
    var text: String {
        let userProfiles = library.userProfiles
        let hiding = Dictionary(userProfiles.map { ($0.profile.name, $0.file) }, uniquingKeysWith: { $1 })
        var rows: [(name: String, label: String, source: String)] = []
        for name in Profile.builtInNames {
            let hidden = hiding[name].map { ", hidden by \(abbreviatedPath($0))" } ?? ""
            rows.append((name, Profile.builtIn(named: name)?.label ?? name, "built in\(hidden)"))
        }
        for (index, entry) in userProfiles.enumerated() {
            let later = userProfiles[(index + 1)...].last { $0.profile.name == entry.profile.name }
            let hidden = later.map { ", hidden by \(abbreviatedPath($0.file))" } ?? ""
            rows.append((entry.profile.name, entry.profile.label, abbreviatedPath(entry.file) + hidden))
        }
        let nameColumns = rows.map(\.name.sanitized.displayColumns).max() ?? 0
        let labelColumns = rows.map(\.label.sanitized.displayColumns).max() ?? 0
        return rows.map { row in
            "\(row.name.sanitized.padded(to: nameColumns))  \(row.label.sanitized.padded(to: labelColumns))  "
                + row.source.harmlessLine
        }.joined()
    }

    /// Prints the JSON of a profile as in its file.
    ///
    /// - Returns: The exit status.
    func show(_ name: String) -> Int32 {
        let isPath = name.contains("/") || name.hasSuffix(".json")
        let bad = library.problems.last { $0.file.hasSuffix("/\(name).json") }
        if !isPath, let bad { printError(bad.sentence) }
        let file = isPath ? name : library.userProfiles.last { $0.profile.name == name }?.file
        guard let file else {
            if let text = Profile.builtInText(named: name) {
                return PlainList.write(String(decoding: text, as: UTF8.self))
            }
            if bad != nil { return ExitStatus.badData }
            printError(
                CommandMessage.unknownProfile.text(name, library.names.nearest(to: name).asChoice))
            return ExitStatus.usage
        }
        do throws(FileError) {
            // A user's file may contain any characters; without control characters, its JSON means the same.
            let text = String(decoding: try ReadOnlyFile.bytes(at: file), as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(\.withoutControls)
            let shown = lines.joined(separator: "\n")
            return PlainList.write(shown.hasSuffix("\n") ? shown : shown + "\n")
        } catch {
            printError(CommandMessage.profileUnreadable.text(error.path, error.cause))
            return error.exitStatus(else: ExitStatus.noInput)
        }
    }
}

extension Substring {
    /// This text with tabs expanded, made safe for a terminal.
    fileprivate var withoutControls: String {
        String(replacing("\t", with: "    ").replacing("\r", with: "")).sanitized
    }
}
