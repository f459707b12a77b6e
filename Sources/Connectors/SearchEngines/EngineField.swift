/// A field of a book that search engines search and sort by.
enum EngineField: String, CaseIterable {
    case id, title, subtitle, sortTitle, author, isbn, publisher, year, language, subject, series, description, cover
    case pages, fiction, added

    /// The name of the field in profiles.
    var profileName: String {
        switch self {
        case .author: "authors"
        case .year: "published"
        case .language: "languages"
        case .subject: "subjects"
        case .pages: "pageCount"
        case .added: "dateAdded"
        default: rawValue
        }
    }

    /// The names that the field usually has in an index, the most likely first.
    var usualNames: [String] {
        switch self {
        case .id: ["id"]
        case .title: ["title", "name"]
        case .subtitle: ["subtitle"]
        case .sortTitle: ["sortTitle", "title_sort", "title_si"]
        case .author: ["authors", "author", "creators", "creator"]
        case .isbn: ["isbn", "isbn13", "isbn_13", "ISBN"]
        case .publisher: ["publisher"]
        case .year: ["stacks.year", "published", "publishedDate", "datePublished", "year", "pub_date"]
        case .language: ["language", "languages", "inLanguage"]
        case .subject: ["subjects", "subject", "categories", "tags", "genre"]
        case .series: ["series"]
        case .description: ["description", "longDescription", "summary"]
        case .cover: ["cover", "thumbnailUrl", "image"]
        case .pages: ["pageCount", "pages", "numberOfPages"]
        case .fiction: ["fiction"]
        case .added: ["dateAdded"]
        }
    }

    /// The fields of `index` that have this field of a book, according to a profile or else by their usual names.
    ///
    /// - Parameters:
    ///   - paths: The paths of a profile by the name of the field.
    ///   - names: Returns the names in the index for a name, the best first.
    func names(in paths: [String: [String]]?, _ names: (String) -> [String]) -> [String] {
        let candidates = paths?[profileName]?.map(Self.name) ?? usualNames
        var found: [String] = []
        for candidate in candidates {
            for name in names(candidate) where !found.contains(name) { found.append(name) }
        }
        return found
    }

    /// Returns the name of a field in an index for a path of a profile: `authors[*].name` is `authors.name`.
    private static func name(of path: String) -> String {
        var name = ""
        var depth = 0
        for character in path {
            switch character {
            case "[": depth += 1
            case "]": depth -= 1
            default: if depth == 0, character != "$" { name.append(character) }
            }
        }
        return name.hasPrefix(".") ? String(name.dropFirst()) : name
    }

    /// The fields that are sorted by for a key of stacks, the best first.
    static func sorting(by key: String) -> [EngineField] {
        switch key {
        case "title": [.sortTitle, .title]
        case "author": [.author]
        case "series": [.series]
        case "year": [.year]
        case "pages": [.pages]
        case "added": [.added]
        default: []
        }
    }

    /// The keys that stacks sorts by and search engines can, too.
    static let sortKeys = ["title", "author", "series", "year", "pages", "added"]
}
