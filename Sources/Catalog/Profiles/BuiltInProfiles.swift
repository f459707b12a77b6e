internal import Books

extension Profile {
    /// The names of the profiles that are part of the program, in the order in which they are shown.
    public static let builtInNames = builtInTexts.map(\.name)

    /// The profile of this name that is part of the program. It is read from its text each time: 0.1 ms at most.
    public static func builtIn(named name: String) -> Profile? {
        if name == "native" { return native }
        guard let text = builtInText(named: name) else { return nil }
        do throws(ProfileSyntaxError) {
            return try Profile(parsing: text)
        } catch {
            assertionFailure(error.message(in: name))
            return nil
        }
    }

    /// What the text of the native profile says, by which most catalogs are read: to read that takes as long as to read the
    /// books of a screen.
    private static var native: Profile {
        var rules: [BookField: FieldMapping.Rule] = [:]
        func read(_ field: BookField, _ names: String...) {
            rules[field] = FieldMapping.Rule(names.map { FieldMapping.Candidate(FieldPath(steps: [.name($0)])) })
        }
        read(.sourceID, "id", "_id")
        read(.title, "title", "name")
        read(.subtitle, "subtitle")
        read(.sortTitle, "sortTitle")
        read(.authors, "authors", "author")
        read(.isbn, "isbn", "isbn13", "isbn_13", "ISBN")
        read(.pageCount, "pageCount", "pages", "numberOfPages", "number-of-pages")
        read(.fiction, "fiction")
        read(.publisher, "publisher")
        read(.published, "published", "publishedDate", "datePublished", "year")
        let date = FieldPath(steps: [.name("publishedDate"), .name("$date")])
        rules[.published]?.candidates.insert(FieldMapping.Candidate(date), at: 2)
        read(.languages, "language", "languages", "inLanguage")
        read(.subjects, "subjects", "categories", "tags", "genre")
        read(.series, "series")
        read(.seriesPosition, "seriesPosition")
        read(.description, "description", "longDescription", "shortDescription", "summary")
        read(.cover, "cover", "thumbnailUrl", "image")
        read(.identifiers, "identifiers")
        read(.contributors, "contributors")
        read(.rating, "rating")
        read(.status, "status")
        read(.dateAdded, "dateAdded")
        return Profile(name: "native", label: "Native", records: [.everyElement], mapping: FieldMapping(rules: rules))
    }

    /// The text of such a profile: JSON in UTF-8, for a reader who wants to write one like it.
    public static func builtInText(named name: String) -> [UInt8]? {
        builtInTexts.first { $0.name == name }?.text()
    }

    /// The files of Resources/profiles, which the build makes a part of the program.
    private static let builtInTexts: [(name: String, text: @Sendable () -> [UInt8])] = [
        ("native", { PackageResources.native_json }), ("opds", { PackageResources.opds_json }),
        ("csl", { PackageResources.csl_json }), ("calibre", { PackageResources.calibre_json }),
        ("gutendex", { PackageResources.gutendex_json }),
        ("openlibrary-search", { PackageResources.openlibrary_search_json }),
        ("openlibrary-edition", { PackageResources.openlibrary_edition_json }),
        ("google", { PackageResources.google_json }), ("blacklight", { PackageResources.blacklight_json }),
        ("schema", { PackageResources.schema_json }),
    ]
}
