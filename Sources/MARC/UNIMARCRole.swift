/// The roles of UNIMARC, whose codes in subfield 4 are numbers (UNIMARC Bibliographic, appendix C).
enum UNIMARCRole {
    /// Returns the role with this code in lower case; nil for codes of music, films and physical copies.
    static func role(_ code: String) -> String? { roles[code] }

    /// The codes of authors: author, author in quotations, dubious author, and author of a thesis.
    static let authors: Set = ["070", "072", "330", "305"]

    private static let roles = [
        "005": "actor", "010": "adapter", "020": "annotator", "030": "arranger", "040": "artist", "070": "author",
        "072": "author in quotations", "075": "author of afterword", "080": "author of introduction",
        "090": "author of dialogue", "100": "bibliographic antecedent", "130": "book designer", "140": "cover designer",
        "160": "bookseller", "170": "calligrapher", "180": "cartographer", "205": "collaborator", "210": "commentator",
        "212": "commentator", "220": "compiler", "230": "composer", "245": "conceptor", "250": "conductor",
        "260": "copyright holder", "270": "corrector", "273": "curator", "280": "dedicatee", "290": "dedicator",
        "295": "degree-granting institution", "300": "director", "305": "dissertant", "310": "distributor",
        "330": "dubious author", "340": "editor", "350": "engraver", "360": "etcher", "390": "former owner",
        "395": "founder", "400": "funder", "430": "illuminator", "440": "illustrator", "460": "interviewee",
        "470": "interviewer", "480": "librettist", "510": "lithographer", "520": "lyricist", "550": "narrator",
        "557": "organizer", "570": "other", "590": "performer", "600": "photographer", "605": "presenter",
        "610": "printer", "630": "producer", "640": "proofreader", "650": "publisher", "651": "publishing director",
        "660": "recipient of letters", "673": "research team head", "675": "reviewer", "690": "scenarist",
        "695": "scientific advisor", "700": "scribe", "710": "secretary", "723": "sponsor", "727": "thesis advisor",
        "730": "translator", "740": "type designer", "750": "typographer", "760": "wood engraver",
        "770": "writer of accompanying material",
    ]
}
