/// The sort key of a title: the key of the title without its article.
public enum TitleKey {
    /// Appends the sort key of a normalized title in this language; appends nothing for an empty title. Linear; takes
    /// tens of nanoseconds.
    public static func append(
        _ folded: UnsafeBufferPointer<UInt8>, language: LanguageCode?, to key: inout ByteBuffer
    ) {
        let articleLength = LeadingArticles.length(in: folded, language: language)
        var collator = Collator()
        if articleLength > 0 { collator.add(UnsafeBufferPointer(rebasing: folded[articleLength...]), to: &key) }
        // A title that consists of an article only.
        if collator.isEmpty { Collation.append(folded, to: &key) }
    }
}
