/// The sort key of a series: the key of its name as a title, so that "The Expanse" is filed under E.
public enum SeriesKey {
    /// Appends the sort key of a normalized name; appends nothing for an empty name. Linear.
    ///
    /// Names that differ in their article only have different keys, because they may be different series.
    public static func append(_ folded: UnsafeBufferPointer<UInt8>, to key: inout ByteBuffer) {
        // Books of one series may have different languages, but must stay together.
        TitleKey.append(folded, language: nil, to: &key)
        if LeadingArticles.length(in: folded, language: nil) == 0 { return }
        // Zero bytes sort before any continuation of the name.
        key.append(0)
        key.append(0)
        Collation.append(folded, to: &key)
    }
}
