/// The keys that catalogs use for the fields of a book, in English and several other languages.
public enum FieldNames {
    /// The known keys of a field, most likely first, in lower case and without separators.
    static func names(of field: BookField) -> [String] {
        switch field {
        case .title:
            [
                "title", "name", "booktitle", "maintitle", "titlemain", "fulltitle", "titel", "titre", "titolo",
                "titulo",
                "título", "tytuł", "tytul", "titlu", "otsikko", "nimeke", "название", "заглавие", "书名", "書名", "題名",
                "タイトル", "제목", "caption", "headline", "heading", "work", "label", "buchtitel", "werktitel", "livre",
            ]
        case .authors:
            [
                "authors", "author", "authorname", "authornames", "writer", "writers", "writtenby", "by", "creator",
                "creators",
                "authorlist", "bystatement", "autor", "autoren", "autores", "autori", "auteur", "auteurs", "autore",
                "verfasser", "verfasserin", "schrijver", "författare", "forfatter", "kirjailija", "autorzy", "автор",
                "авторы", "作者", "著者", "저자", "von", "par", "por", "di", "byline", "statementofresponsibility", "people",
                "person", "persons", "novelist", "poet",
            ]
        case .isbn:
            [
                "isbn13", "isbn", "isbn10", "isbns", "isbnnumber", "isbncode", "ean", "ean13", "gtin", "gtin13",
                "barcode",
                "booknumber", "国际标准书号",
            ]
        case .pageCount:
            [
                "pagecount", "pages", "numberofpages", "numpages", "numberpages", "noofpages", "pagecounts",
                "pagenumber",
                "pagenumbers", "pagination", "extent", "length", "len", "pp", "numpgs", "pgs", "seiten", "seitenzahl",
                "seitenanzahl", "pagine", "numeropagine", "paginas", "páginas", "numeropaginas", "nombredepages",
                "nombrepages", "nbpages", "sidor", "sider", "antalsidor", "sivut", "sivumäärä", "strony", "liczbastron",
                "страниц", "страницы", "页数", "頁數", "ページ数", "페이지", "physicaldescription",
            ]
        case .fiction: ["fiction", "isfiction", "fictional", "isnovel", "belletristik", "kind", "booktype"]
        case .sourceID:
            [
                "id", "uid", "uuid", "guid", "key", "identifier", "recordid", "bookid", "itemid", "sourceid", "oid",
                "nr",
                "no", "recordnumber", "signatur", "callnumber", "kennung",
            ]
        case .subtitle:
            ["subtitle", "titlesub", "untertitel", "soustitre", "sottotitolo", "subtitulo", "subtítulo", "副标题"]
        case .sortTitle: ["sorttitle", "titlesort", "titleforsorting", "sortname"]
        case .publisher:
            [
                "publisher", "publishers", "publishername", "publishedby", "imprint", "publishinghouse", "press",
                "verlag",
                "éditeur", "editeur", "maisondedition", "editore", "editorial", "editora", "uitgever", "förlag",
                "forlag",
                "kustantaja", "wydawnictwo", "wydawca", "издательство", "издатель", "出版社", "출판사",
            ]
        case .published:
            [
                "published", "publisheddate", "publicationdate", "datepublished", "pubdate", "dateofpublication",
                "publishedon",
                "publicationyear", "publishyear", "publishdate", "firstpublished", "firstpublishyear", "yearpublished",
                "pubyear",
                "releasedate", "released", "releasedon", "originalpublicationyear", "originalpublicationdate",
                "issued",
                "year", "date", "issuedate", "copyright", "copyrightyear", "jahr", "erscheinungsjahr",
                "erscheinungsdatum",
                "erschienen", "année", "annee", "anneeparution", "dateparution", "parution", "datedeparution", "anno",
                "annopubblicazione", "año", "ano", "anio", "anopublicacion", "añopublicación", "fechapublicacion",
                "jaar", "år", "utgivningsår", "rok", "rokwydania", "год", "годиздания", "年", "出版年", "出版日期", "発行日",
                "출판일",
            ]
        case .languages:
            [
                "languages", "language", "lang", "langs", "languagecode", "langcode", "languageiso", "inlanguage",
                "locale",
                "sprache", "sprachen", "langue", "langues", "lingua", "lingue", "idioma", "idiomas", "taal", "språk",
                "kieli", "język", "jezyk", "язык", "语言", "言語", "언어",
            ]
        case .subjects:
            [
                "subjects", "subject", "categories", "category", "genres", "genre", "tags", "tag", "topics", "topic",
                "keywords",
                "keyword", "themes", "theme", "bookshelves", "shelves", "classification", "schlagworte", "schlagwörter",
                "kategorie", "kategorien", "thema", "themen", "gattung", "sujets", "sujet", "thèmes", "catégories",
                "categorie", "temas", "materias", "géneros", "generos", "genere", "argomenti", "ämnen", "żanr",
                "gatunek",
                "жанр", "жанры", "分类", "ジャンル", "장르",
            ]
        case .series:
            [
                "series", "seriesname", "seriestitle", "collectiontitle", "partofseries", "belongstoseries", "saga",
                "ispartof",
                "reihe", "serie", "buchreihe", "série", "collection", "collana", "colección", "coleccion", "reeks",
                "sarja", "seria", "cykl", "серия", "цикл", "丛书", "シリーズ", "시리즈",
            ]
        case .seriesPosition:
            [
                "seriesposition", "seriesindex", "seriesnumber", "seriesno", "seriesnr", "seriespart",
                "positioninseries",
                "numberinseries", "bookinseries", "volumenumber", "collectionnumber", "volume", "vol", "band",
                "bandnummer",
                "tome", "tomo", "deel", "tom", "osa", "том",
            ]
        case .description:
            [
                "description", "longdescription", "summary", "summaries", "synopsis", "abstract", "blurb", "about",
                "overview",
                "annotation", "shortdescription", "plot", "comments", "content", "text", "teaser", "beschreibung",
                "inhalt", "klappentext", "zusammenfassung", "résumé", "resume", "quatrieme", "présentation",
                "descrizione", "trama", "sinopsis", "descripción", "descripcion", "resumen", "sinopse", "resumo",
                "descrição", "beschrijving", "samenvatting", "beskrivning", "kuvaus", "opis", "описание", "аннотация",
                "简介", "内容", "あらすじ", "줄거리",
            ]
        case .cover:
            [
                "cover", "coverurl", "coverimage", "coverimageurl", "coverlink", "thumbnail", "thumbnailurl", "image",
                "imageurl",
                "images", "imagelinks", "picture", "pictureurl", "img", "imgurl", "jacket", "poster", "photo",
                "artwork",
                "frontcover", "titelbild", "umschlag", "buchcover", "bild", "couverture", "copertina", "portada",
                "capa",
                "omslag", "kansi", "okładka", "okladka", "обложка", "封面", "表紙", "표지", "coveri", "smallimageurl",
            ]
        case .identifiers: ["identifiers", "ids", "externalids", "othernumbers", "altidentifier", "altidentifiers"]
        case .contributors:
            [
                "contributors", "contributor", "contributions", "translators", "translator", "editors", "illustrators",
                "illustrator", "narrator", "narrators", "mitwirkende", "übersetzer", "traducteur", "credits",
            ]
        case .rating:
            [
                "rating", "averagerating", "ratingaverage", "avgrating", "ratingvalue", "myrating", "userrating",
                "stars", "score",
                "bewertung", "sterne", "note", "nota", "valoración", "valoracion", "puntuacion", "avaliação", "voto",
                "valutazione", "waardering", "betyg", "arvosana", "ocena", "оценка", "рейтинг", "评分", "評価", "평점",
                "marks",
            ]
        case .status:
            [
                "status", "readingstatus", "readstatus", "shelf", "exclusiveshelf", "progress", "state", "readingstate",
                "lesestatus", "statut", "stato", "estado", "leesstatus", "stan", "статус", "isread", "read", "finished",
            ]
        case .dateAdded:
            [
                "dateadded", "added", "addedon", "addedat", "addeddate", "adddate", "createdat", "created", "createdon",
                "datecreated", "creationdate", "timestamp", "dateacquired", "acquired", "acquiredon", "purchased",
                "purchasedate", "purchasedon", "bought", "boughton", "hinzugefügt", "hinzugefuegt", "erfasst", "ajouté",
                "ajoute", "dateajout", "aggiunto", "añadido", "adicionado", "toegevoegd", "tillagd", "dodano",
                "добавлено",
            ]
        }
    }

    /// The words of a key that carry no meaning for the field: prefixes, terms of library vocabularies, and Solr type
    /// suffixes.
    static let passedOver: Set<String> = [
        "book", "books", "item", "record", "work", "the", "my", "its", "of", "de", "du", "dc", "dcterms", "bib",
        "schema", "meta",
        "metadata", "info", "data", "volume", "main", "full", "display", "tsim", "ssim", "ssi", "tesim", "ssm", "txt",
        "str",
        "buch", "livre", "libro", "a", "field", "value", "opf", "raw", "list", "original", "csv", "col",
    ]

    /// The generic keys whose meaning comes from the enclosing key.
    static let general: Set<String> = [
        "name", "names", "value", "values", "text", "label", "title", "date", "display", "content", "full", "main",
        "href",
        "url", "src", "link", "code", "key", "id", "year", "number", "count", "total", "average", "default", "en",
        "list",
        "all", "item", "items", "entry", "raw", "literal", "identifier", "score",
    ]

    /// Whether the last key names a date that is not the publication date, such as that of the record, the owner or the
    /// author.
    public static func isOfAnotherTime(_ keys: [String]) -> Bool {
        let others: Set<String> = [
            "modified", "updated", "changed", "accessed", "created", "added", "indexed", "timestamp", "born", "birth",
            "died",
            "death", "founded", "read", "started", "finished", "bought", "purchased", "loaned", "due",
        ]
        return keys.last.map { words(of: $0).contains { others.contains($0) } } ?? false
    }

    /// Splits a key into lower-case words: "publicationDate", "publication_date" and "Publication Date" all give
    /// "publication" and "date".
    static func words(of key: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previous: Character?
        for character in key {
            let begins = character.isUppercase && previous.map { $0.isLowercase || $0.isNumber } == true
            if begins || !character.isLetter && !character.isNumber {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
            }
            if character.isLetter || character.isNumber { word.append(character) }
            previous = character
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }

    /// Returns how well the keys of a path, starting at the record, match the names of `field`, from 0 to 1.
    public static func likeness(of keys: [String], to field: BookField) -> Double {
        guard let last = keys.last else { return 0 }
        let words = words(of: last)
        let parent = keys.dropLast().last.map(Self.words) ?? []
        let keyScore = likeness(ofWords: words, to: field)
        // A value within the object of another field belongs to that field.
        if let owner = BookField.allCases.filter({ $0 != field && $0 != .identifiers }).max(by: {
            likeness(ofWords: parent, to: $0) < likeness(ofWords: parent, to: $1)
        }), !parent.isEmpty, likeness(ofWords: parent, to: owner) >= 0.9,
            likeness(ofWords: parent, to: owner) > likeness(ofWords: parent, to: field)
        {
            let both = likeness(ofWords: parent + words, to: field)
            return both >= 0.9 ? both * 0.97 : keyScore * 0.25
        }
        var best = keyScore * 0.98
        if keys.count == 1 { best = keyScore }
        if general.contains(words.joined()) {
            best = max(best, likeness(ofWords: parent, to: field) * 0.96)
        }
        if !parent.isEmpty { best = max(best, likeness(ofWords: parent + words, to: field) * 0.95) }
        return best
    }

    private static func likeness(ofWords words: [String], to field: BookField) -> Double {
        if words.isEmpty { return 0 }
        let names = names(of: field)
        func rank(_ word: String) -> Double? {
            names.firstIndex(of: word).map { 1 - 0.002 * Double(min($0, 40)) }
        }
        let whole = words.joined()
        if let rank = rank(whole) { return rank }
        let significantWords = words.filter { !passedOver.contains($0) }
        if !significantWords.isEmpty, let rank = rank(significantWords.joined()) { return rank * 0.95 }
        // Keys with a number, such as "Titel2" and "author1", are numbered instances of the same field.
        let withoutDigits = whole.filter { !$0.isNumber }
        if !withoutDigits.isEmpty, withoutDigits != whole, let rank = rank(withoutDigits) { return rank * 0.85 }
        // A key may have one letter missing, added or changed.
        if whole.count >= 5, names.contains(where: { $0.count >= 5 && $0.isNearlyEqual(to: whole) }) { return 0.7 }
        // One word of several matches.
        let part = significantWords.compactMap { word in word.count >= 4 ? rank(word) : nil }.max()
        return part.map { $0 * 0.6 } ?? 0
    }
}

extension String {
    /// Whether the strings differ by at most one inserted, deleted or replaced character.
    fileprivate func isNearlyEqual(to other: String) -> Bool {
        let (left, right) = (Array(self), Array(other))
        guard abs(left.count - right.count) <= 1 else { return false }
        let prefix = zip(left, right).prefix { $0 == $1 }.count
        let suffix = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        return prefix + suffix >= Swift.max(left.count, right.count) - 1
    }
}
