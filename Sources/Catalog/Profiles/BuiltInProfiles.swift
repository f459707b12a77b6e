internal import Books

extension Profile {
    /// The names of the built-in profiles in display order.
    public static let builtInNames = builtInTexts.map(\.name)

    /// Returns the built-in profile with this name. Parses its text each time, which takes at most 0.1 ms.
    public static func builtIn(named name: String) -> Profile? {
        guard let text = builtInText(named: name) else { return nil }
        do throws(ProfileSyntaxError) {
            let profile = try Profile(parsing: text)
            return name == ProfileRecognition.native ? profile.withMembersOfStacks : profile
        } catch {
            assertionFailure(error.message(in: name))
            return nil
        }
    }

    /// Returns the text of a built-in profile: JSON in UTF-8, as an example for writing one.
    public static func builtInText(named name: String) -> [UInt8]? {
        builtInTexts.first { $0.name == name }?.text()
    }

    /// This profile with rules for the fields that it does not mention: a record of stacks has a member for each.
    private var withMembersOfStacks: Profile {
        var rules = mapping.rules
        for field in BookField.builtIn where rules[field] == nil {
            rules[field] = .init([.init(FieldPath(steps: [.name(field.info.nativeKey)]))])
        }
        return Profile(
            name: name, label: label, records: records, mapping: FieldMapping(rules: rules, ignored: mapping.ignored))
    }

    /// The files of Resources/profiles, which the build embeds in the program.
    private static let builtInTexts: [(name: String, text: @Sendable () -> [UInt8])] = [
        ("native", { PackageResources.native_json }), ("opds", { PackageResources.opds_json }),
        ("csl", { PackageResources.csl_json }), ("calibre", { PackageResources.calibre_json }),
        ("gutendex", { PackageResources.gutendex_json }),
        ("openlibrary-search", { PackageResources.openlibrary_search_json }),
        ("openlibrary-edition", { PackageResources.openlibrary_edition_json }),
        ("google", { PackageResources.google_json }), ("blacklight", { PackageResources.blacklight_json }),
        ("schema", { PackageResources.schema_json }), ("goodreads", { PackageResources.goodreads_json }),
        ("librarything", { PackageResources.librarything_json }),
        ("storygraph", { PackageResources.storygraph_json }), ("zotero", { PackageResources.zotero_json }),
        ("bookwyrm", { PackageResources.bookwyrm_json }), ("gutenberg", { PackageResources.gutenberg_json }),
        ("goodbooks", { PackageResources.goodbooks_json }), ("table", { PackageResources.table_json }),
        ("calibre-csv", { PackageResources.calibre_csv_json }), ("library", { PackageResources.library_json }),
        ("stacks-csv", { PackageResources.stacks_csv_json }),
        ("zotero-json", { PackageResources.zotero_json_json }), ("inventaire", { PackageResources.inventaire_json }),
        ("vufind", { PackageResources.vufind_json }),
    ]
}
