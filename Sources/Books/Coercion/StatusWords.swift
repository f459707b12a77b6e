/// The words for reading statuses in catalogs of several languages.
extension Book.ReadingStatus {
    /// Creates the status with this name, ignoring case and accepting spaces or underscores instead of hyphens.
    public init?(written text: String) {
        self.init(rawValue: text.lowercased().replacing(" ", with: "-").replacing("_", with: "-"))
    }

    /// Creates the status that a word stands for.
    public init?(meantBy text: String) {
        if let status = Book.ReadingStatus(written: text) {
            self = status
            return
        }
        let word = text.lowercased().filter(\.isLetter)
        guard let status = Self.words.first(where: { $0.words.contains(word) })?.status else { return nil }
        self = status
    }

    private static let words: [(status: Book.ReadingStatus, words: Set<String>)] = [
        (
            .read,
            [
                "read", "done", "finished", "complete", "completed", "gelesen", "fertig", "lu", "terminé", "letto",
                "leído",
                "leido", "lido", "gelezen", "läst", "lest", "przeczytane", "прочитано", "luettu", "已读", "読了",
            ]
        ),
        (
            .reading,
            [
                "reading", "currentlyreading", "current", "inprogress", "started", "amlesen", "lese", "encours",
                "inlettura",
                "leyendo", "lendo", "bezig", "läser", "czytam", "читаю", "kesken", "在读", "読書中",
            ]
        ),
        (
            .toRead,
            [
                "toread", "wanttoread", "wishlist", "wanted", "planned", "unread", "tbr", "notstarted", "queue",
                "ungelesen",
                "zulesen", "àlire", "alire", "daleggere", "porleer", "paraler", "telezen", "attläsa", "doprzeczytania",
                "хочупрочитать", "想读", "積読",
            ]
        ),
        (
            .abandoned,
            [
                "abandoned", "dnf", "didnotfinish", "dropped", "gaveup", "stopped", "abgebrochen", "abandonné",
                "abbandonato", "abandonado", "gestopt", "porzucone", "брошено", "弃读",
            ]
        ),
    ]
}
