public import Books

extension BookField {
    /// The label of the field on the screen.
    public var label: String {
        switch self {
        case .title: "Title"
        case .authors: "Authors"
        case .isbn: "ISBN"
        case .pageCount: "Pages"
        case .fiction: "Fiction"
        case .sourceID: "ID"
        case .subtitle: "Subtitle"
        case .sortTitle: "Sorted as"
        case .publisher: "Publisher"
        case .published: "Published"
        case .languages: "Languages"
        case .subjects: "Subjects"
        case .series: "Series"
        case .seriesPosition: "Place in series"
        case .description: "Description"
        case .cover: "Cover"
        case .identifiers: "Identifiers"
        case .contributors: "Contributors"
        case .rating: "Rating"
        case .status: "Status"
        case .dateAdded: "Added"
        }
    }
}
