/// The sort key of a title: that of what follows its article.
package enum TitleKey {
    /// Appends the key of a folded title in this language; nothing for a title without characters. Linear; some tens of
    /// nanoseconds.
    package static func append(
        _ folded: UnsafeBufferPointer<UInt8>, language: LanguageCode?, to key: inout ByteBuffer
    ) {
        let articleLength = LeadingArticles.length(in: folded, language: language)
        var collator = Collator()
        if articleLength > 0 { collator.add(UnsafeBufferPointer(rebasing: folded[articleLength...]), to: &key) }
        // An article alone is the title.
        if collator.isEmpty { Collation.append(folded, to: &key) }
    }
}
