public import Books

extension ReadingProgress.Place {
    /// The place as it is shown: "page 180", "45 %".
    public var shown: String {
        switch self {
        case .page(let page): "page \(page.grouped)"
        case .percent(let percent): "\(percent)\u{A0}%"
        }
    }
}
