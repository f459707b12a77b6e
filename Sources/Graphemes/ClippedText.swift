extension String {
    /// This text as it may be shown in at most so many columns: what is longer ends in "…". The cost is that of the columns,
    /// whatever the length of the text.
    public func clipped(to width: Int) -> (text: String, columns: Int) {
        var (text, used) = ("", 0)
        // What is shown where the last column gives way to the sign that something is missing.
        var cut = (text: "", columns: 0)
        for glyph in GraphemeSanitizer(self) {
            if used + glyph.columns > width {
                let blanks = String(repeating: " ", count: max(0, width - cut.columns - 1))
                return width > 0 ? (cut.text + "…" + blanks, width) : ("", 0)
            }
            text += glyph.text
            used += glyph.columns
            if used < width { cut = (text, used) }
        }
        return (text, used)
    }
}
