internal import Search

/// Rows of the table of commands: finding, sorting and grouping books.
extension CommandInfo {
    /// Searching.
    static let searching = group(
        .finding,
        [
            .init(
                .search, "search", "Search", ["/"],
                .bookPanes.union([.lists, .help, .facets, .history, .log, .guide, .duplicates, .values]),
                "Search titles, authors, series, subjects and ISBNs; filter other screens.",
                hint: CommandHint(
                    text: "search",
                    otherTexts: [
                        .facets: "filter", .history: "filter", .log: "filter", .duplicates: "filter", .values: "filter",
                    ],
                    contexts: [.books, .help, .facets, .history, .log, .guide, .duplicates, .values])),
            .init(
                .match(.next), "next-match", "Next match", ["n"], .bookPanes,
                "Go to the next book in the list that matches the last search.", needs: .localIndex),
            .init(
                .match(.previous), "previous-match", "Previous match", ["N"], .bookPanes,
                "Go to the previous book that matches the last search.", needs: .localIndex),
            .init(
                .same(.author), "same-author", "Same author", ["aa"], .bookPanes,
                "List books by this author."),
            .init(
                .same(.series), "same-series", "Same series", ["as"], .bookPanes,
                "List books of this series."),
            .init(
                .same(.subject), "same-subject", "Same subject", ["aj"], .bookPanes,
                "List books on the first subject of this book."),
            .init(
                .same(.year), "same-year", "Same year", ["ay"], .bookPanes,
                "List books of this year."),
            .init(
                .jump, "jump", "Jump", ["f"], .panes,
                "Go to a title, author, series, subject or list by some of its letters; Tab filters the list by it.",
                synonyms: ["find", "fuzzy", "title"],
                opens: JumpPicker.opener),
        ])

    /// Facets and statistics.
    static let counting = group(
        .finding,
        [
            .init(
                .facets, "facets", "Facets", ["F"], .bookPanes.union([.facets]),
                "Filter the list by author, subject, language, decade, series, kind, status, rating, shelf, year read.",
                synonyms: ["filter", "narrow", "tags"],
                needs: .localIndex,
                opens: FacetsScreen.opener),
            .init(
                .tick, "tick", "Tick", ["Space"], [.facets],
                "Tick or untick the value: books must have one of the ticked values of each facet.",
                needs: .localIndex, like: .selectRow, hint: CommandHint(text: "tick", contexts: [.facets])),
            .init(
                .exclude, "exclude", "Exclude", ["-"], [.facets],
                "List the books without this value.", needs: .localIndex,
                hint: CommandHint(text: "exclude", contexts: [.facets])),
            .init(
                .clearTicks, "clear-ticks", "Clear ticks", ["u"], [.facets],
                "Untick all values.", needs: .localIndex, hint: CommandHint(text: "clear", contexts: [.facets])),
            .init(
                .fold, "fold", "Fold", ["za"], [.facets],
                "Fold the facet to one line, or show its values.", needs: .localIndex),
            .init(
                .statistics, "statistics", "Statistics", ["%"], .bookPanes.union([.statistics]),
                "Show charts of the listed books: decades, pages, authors, languages and more. 50% goes halfway down the list.",
                synonyms: ["charts", "goal", "numbers", "summary"],
                needs: .localIndex,
                opens: StatisticsScreen.opener),
        ])

    /// Sorting.
    static let sorting = group(
        .order,
        [
            .init(
                .sort(.title), "sort-by-title", "Sort by title", ["st"], .bookPanes,
                "Sort by title, ignoring articles; repeat to reverse.",
                hint: CommandHint(text: "sort", contexts: [.books], prefix: "s")),
            .init(
                .sort(.author), "sort-by-author", "Sort by author", ["sa"], .bookPanes,
                "Sort by the first author’s family name."),
            .init(
                .sort(.year), "sort-by-year", "Sort by year", ["sy"], .bookPanes,
                "Sort by year of publication."),
            .init(
                .sort(.pages), "sort-by-pages", "Sort by pages", ["sp"], .bookPanes,
                "Sort by number of pages."),
            .init(
                .sort(.rating), "sort-by-rating", "Sort by rating", ["sr"], .bookPanes,
                "Sort by rating."),
            .init(
                .sort(.added), "sort-by-added", "Sort by date added", ["sd"], .bookPanes,
                "Sort by the date added to the catalog."),
            .init(
                .sort(.mine), "sort-by-mine", "Sort by my rating", ["sm"], .bookPanes,
                "Sort by your own rating.", needs: .localIndex),
            .init(
                .sort(.read), "sort-by-read", "Sort by date read", ["sf"], .bookPanes,
                "Sort by the day on which you finished the book last.", synonyms: ["finished"], needs: .localIndex),
            .init(
                .sort(.status), "sort-by-status", "Sort by status", ["ss"], .bookPanes,
                "Sort by reading status: to read, reading, read, abandoned.", needs: .localIndex),
            .init(
                .sort(.random(seed: 0)), "sort-randomly", "Random order", ["sR"], .bookPanes,
                "Shuffle the list; repeat for another order.", synonyms: ["shuffle", "surprise", "what to read"],
                needs: .localIndex),
            .init(
                .sortByField, "sort-by-field", "Sort by a field", ["so"], .bookPanes,
                "Choose any field to sort by, also those that only this catalog has.",
                opens: ScreenOpener(context: .fields, make: FieldPicker.ofOrders)),
            .init(
                .sort(nil), "sort-by-list", "List order", ["sl"], .bookPanes,
                "Restore the order of the list."),
            .init(
                .thenSort(.title), "then-by-title", "Then by title", ["sSt"], .bookPanes,
                "Break ties by title."),
            .init(
                .thenSort(.author), "then-by-author", "Then by author", ["sSa"], .bookPanes,
                "Break ties by author."),
            .init(
                .thenSort(.year), "then-by-year", "Then by year", ["sSy"], .bookPanes,
                "Break ties by year."),
            .init(
                .thenSort(.pages), "then-by-pages", "Then by pages", ["sSp"], .bookPanes,
                "Break ties by pages."),
            .init(
                .thenSort(.rating), "then-by-rating", "Then by rating", ["sSr"], .bookPanes,
                "Break ties by rating."),
            .init(
                .thenSort(.added), "then-by-added", "Then by date added", ["sSd"], .bookPanes,
                "Break ties by date added."),
            .init(
                .thenSort(.mine), "then-by-mine", "Then by my rating", ["sSm"], .bookPanes,
                "Break ties by your own rating.", needs: .localIndex),
            .init(
                .thenSort(.read), "then-by-read", "Then by date read", ["sSf"], .bookPanes,
                "Break ties by the day on which you finished the book last.", needs: .localIndex),
            .init(
                .thenSort(.status), "then-by-status", "Then by status", ["sSs"], .bookPanes,
                "Break ties by reading status.", needs: .localIndex),
        ])

    /// Grouping.
    static let grouping = group(
        .order,
        [
            .init(
                .section(.letter), "section-by-letter", "Group by letter", ["St"], .bookPanes,
                "Group books by the first letter of the title.", needs: .localIndex),
            .init(
                .section(.decade), "section-by-decade", "Group by decade", ["Sd"], .bookPanes,
                "Group books by decade.", needs: .localIndex),
            .init(
                .section(.series), "section-by-series", "Group by series", ["Ss"], .bookPanes,
                "Group books by series.", needs: .localIndex),
            .init(
                .section(.author), "section-by-author", "Group by author", ["Sa"], .bookPanes,
                "Group books by first author.", needs: .localIndex),
            .init(
                .section(.subject), "section-by-subject", "Group by subject", ["Sj"], .bookPanes,
                "Group books by first subject.", needs: .localIndex),
            .init(
                .section(.fiction), "section-by-fiction", "Group by kind", ["Sf"], .bookPanes,
                "Group fiction and non-fiction.", needs: .localIndex),
            .init(
                .section(.status), "section-by-status", "Group by status", ["Sr"], .bookPanes,
                "Group books by reading status.", needs: .localIndex),
            .init(
                .sectionByField, "section-by-field", "Group by a field", ["So"], .bookPanes,
                "Choose any field to group by, also those that only this catalog has.", needs: .localIndex,
                opens: ScreenOpener(context: .fields, make: FieldPicker.ofSections)),
            .init(
                .section(nil), "section-by-nothing", "Ungroup", ["Sn"], .bookPanes,
                "Show the list without groups."),
        ])
}
