/// The rows. A star marks the names that tell the field by themselves, two those that tell of any object that it is a
/// book.
extension BookField {
    /// The title.
    public static let title = BookField(
        "title", "Title", .text, "a title", .init({ $0.title }, { $0.title = $1 }) { $0.titleText },
        names: """
            title** name booktitle* maintitle* titlemain* fulltitle* titel* titre* titolo* titulo* título* \
            tytuł* tytul* titlu* otsikko* nimeke* название* заглавие* 书名* 書名* 題名* タイトル* 제목* caption headline \
            heading work label buchtitel* werktitel* livre book
            """,
        query: ["title", "titles"], column: .init("Title", .share(3), least: 26, comfortable: 28, narrow: 16),
        order: .text,
        indexing: .line(isSearchedAnywhere: true))

    /// The authors.
    public static let authors = BookField(
        "authors", "Authors", .list, "a name", .init({ $0.authors }, { $0.authors = $1 }) { $0.names },
        names: """
            authors** author** authorname** authornames** authortext* writer** writers** writtenby by creator** creators** \
            authorlist* bystatement autor* autoren* autores* autori* auteur* auteurs* autore* verfasser* \
            verfasserin* schrijver* författare* forfatter* kirjailija* autorzy* автор* авторы* 作者* 著者* 저자* \
            von par por di byline statementofresponsibility people person persons novelist poet
            """,
        query: ["author", "authors", "by", "writer"],
        column: .init("Author", .share(1), least: 14, comfortable: 17, priority: 10, narrow: 12), order: .text,
        isFacet: true,
        indexing: .line(isSearchedAnywhere: true))

    /// The ISBN.
    public static let isbn = BookField(
        "isbn", "ISBN", .isbn, "an ISBN", .init({ $0.isbn }, { $0.isbn = $1 }) { $0.isbn },
        names: """
            isbn13** isbn** isbn10** isbnuid* isbns* isbnnumber* isbncode* ean ean13 gtin gtin13 barcode booknumber \
            国际标准书号*
            """,
        query: ["isbn"], column: .init("ISBN", .fixed(17), priority: 5), indexing: .line(isSearchedAnywhere: true))

    /// The number of pages.
    public static let pageCount = BookField(
        "pageCount", "Pages", .number, "a number of pages", .init({ $0.pageCount }, { $0.pageCount = $1 }) { $0.pages },
        names: """
            pagecount** pages** numberofpages** numpages* numberpages* noofpages* pagecounts pagenumber \
            pagenumbers pagination extent length len pp numpgs* pgs* seiten* seitenzahl* seitenanzahl* \
            pagine* numeropagine* paginas* páginas* numeropaginas* nombredepages* nombrepages* nbpages* \
            sidor* sider* antalsidor* sivut* sivumäärä* strony* liczbastron* страниц* страницы* 页数* 頁數* \
            ページ数* 페이지* physicaldescription
            """,
        query: ["pages", "page", "pagecount"], column: .init("Pages", .fixed(7), priority: 8, isNumber: true),
        order: .number, indexing: .column)

    /// Whether the book is fiction.
    public static let fiction = BookField(
        "fiction", "Fiction", .boolean, "yes or no", .init({ $0.fiction }, { $0.fiction = $1 }) { $0.fiction },
        names: "fiction** isfiction* fictional isnovel* belletristik* kind booktype",
        query: ["fiction"], isFacet: true, indexing: .column)

    /// The key of the record in its catalog.
    public static let sourceID = BookField(
        "id", "ID", .text, "a number in a scheme", .init({ $0.sourceID }, { $0.sourceID = $1 }) { $0.keyText },
        names: """
            id uid uuid guid key identifier recordid bookid itemid sourceid oid nr no recordnumber signatur \
            callnumber kennung
            """,
        nativeKey: "sourceID")

    /// The second part of the title.
    public static let subtitle = BookField(
        "subtitle", "Subtitle", .text, "a title", .init({ $0.subtitle }, { $0.subtitle = $1 }) { $0.titleText },
        names: """
            subtitle** titlesub* untertitel* soustitre* sottotitolo* subtitulo* subtítulo* 副标题*
            """)

    /// Another title, such as the one in the original script.
    public static let otherTitle = BookField(
        "otherTitle", "Other title", .text, "a title",
        .init({ $0.otherTitle }, { $0.otherTitle = $1 }) { $0.titleText },
        names: "othertitle", indexing: .line(isSearchedAnywhere: true))

    /// The title to sort by.
    public static let sortTitle = BookField(
        "sortTitle", "Sort title", .text, "a title", .init({ $0.sortTitle }, { $0.sortTitle = $1 }) { $0.titleText },
        names: "sorttitle* titlesort* titleforsorting* sortname",
        indexing: .line(isSearchedAnywhere: false))

    /// The publisher.
    public static let publisher = BookField(
        "publisher", "Publisher", .text, "a publisher",
        .init({ $0.publisher }, { $0.publisher = $1 }) { $0.joinedTexts },
        names: """
            publisher** publishers** publishername* publishedby* imprint** publishinghouse* press verlag* \
            éditeur* editeur* maisondedition* editore* editorial editora uitgever* förlag* forlag* \
            kustantaja* wydawnictwo* wydawca* издательство* издатель* 出版社* 출판사* house
            """,
        query: ["publisher", "publishers", "press"], column: .init("Publisher", .share(1), least: 14, priority: 2),
        indexing: .line(isSearchedAnywhere: false))

    /// The date of publication.
    public static let published = BookField(
        "published", "Published", .date, "a date", .init({ $0.published }, { $0.published = $1 }) { $0.partialDate },
        names: """
            published** publisheddate** publicationdate** datepublished** pubdate* dateofpublication* \
            publishedon* publicationyear* publishyear* publishdate* firstpublished* firstpublishyear* \
            yearpublished* pubyear* releasedate released releasedon originalpublicationyear* \
            originalpublicationdate* issued year** date issuedate copyright copyrightyear jahr* \
            erscheinungsjahr* erscheinungsdatum* erschienen* année* annee* anneeparution* dateparution* \
            parution datedeparution* anno annopubblicazione* año* ano anio* anopublicacion* añopublicación* \
            fechapublicacion* jaar* år* utgivningsår* rok* rokwydania* год* годиздания* 年* 出版年* 出版日期* 発行日* \
            출판일*
            """,
        query: ["year", "years", "published", "date"],
        column: .init("Year", .fixed(7), priority: 9, isNumber: true), order: .greatestFirst, indexing: .column)

    /// The languages.
    public static let languages = BookField(
        "languages", "Languages", .list, "a language", .init({ $0.languages }, { $0.languages = $1 }) { $0.languages },
        names: """
            languages** language** lang langs languagecode* langcode* languageiso* inlanguage** locale sprache* \
            sprachen* langue* langues* lingua* lingue* idioma* idiomas* taal* språk* kieli* język* jezyk* \
            язык* 语言* 言語* 언어*
            """,
        nativeKey: "language", query: ["language", "languages", "lang"],
        column: .init("Language", .fixed(10), priority: 4), isFacet: true,
        indexing: .line(isSearchedAnywhere: false))

    /// The subjects, genres or tags.
    public static let subjects = BookField(
        "subjects", "Subjects", .list, "a subject", .init({ $0.subjects }, { $0.subjects = $1 }) { $0.texts },
        names: """
            subjects** subject** categories** category genres** genre** tags** tag topics topic keywords keyword \
            themes theme bookshelves shelves classification schlagworte* schlagwörter* kategorie* \
            kategorien* thema themen gattung* sujets* sujet* thèmes* catégories* categorie* temas materias \
            géneros* generos* genere* argomenti* ämnen* żanr* gatunek* жанр* жанры* 分类* ジャンル* 장르*
            """,
        query: ["subject", "subjects", "tag", "tags", "topic", "genre", "category"],
        column: .init("Subjects", .share(1), least: 18, priority: 3), isFacet: true,
        indexing: .line(isSearchedAnywhere: true))

    /// The series.
    public static let series = BookField(
        "series", "Series", .text, "a series", .init({ $0.series }, { $0.series = $1 }) { $0.name },
        names: """
            series** seriesname** seriestitle* collectiontitle partofseries* belongstoseries* saga ispartof \
            reihe serie buchreihe* série collection collana colección coleccion reeks* sarja* seria cykl* \
            серия* цикл* 丛书* シリーズ* 시리즈*
            """,
        query: ["series"], column: .init("Series", .share(1), least: 18, priority: 6), order: .text, isFacet: true,
        indexing: .line(isSearchedAnywhere: true))

    /// The number within the series.
    public static let seriesPosition = BookField(
        "seriesPosition", "Number in series", .number, "a number",
        .init({ $0.seriesPosition }, { $0.seriesPosition = $1 }) { $0.double },
        names: """
            seriesposition* seriesindex* seriesnumber* seriesno* seriesnr* seriespart* positioninseries* \
            numberinseries* bookinseries* volumenumber* collectionnumber volume vol band bandnummer* tome \
            tomo deel tom osa том
            """,
        indexing: .column)

    /// The description.
    public static let description = BookField(
        "description", "Description", .text, "a text",
        .init({ $0.description }, { $0.description = $1 }) { $0.paragraphs },
        names: """
            description** longdescription** summary** summaries synopsis* abstract blurb* about overview \
            annotation shortdescription** plot comments content text teaser beschreibung* inhalt klappentext* \
            zusammenfassung* résumé* resume quatrieme présentation descrizione* trama sinopsis* descripción* \
            descripcion* resumen* sinopse* resumo* descrição* beschrijving* samenvatting* beskrivning* \
            kuvaus* opis описание* аннотация* 简介* 内容 あらすじ* 줄거리*
            """,
        query: ["description", "summary", "blurb"], indexing: .presence)

    /// The link to a picture of the cover, or the picture itself.
    public static let cover = BookField(
        "cover", "Cover", .text, "a link", .init({ $0.cover }, { $0.cover = $1 }) { $0.pictureLink },
        names: """
            cover** coverurl** coverimage* coverimageurl* coverlink* thumbnail thumbnailurl** image** imageurl \
            images imagelinks picture pictureurl img imgurl jacket poster photo artwork frontcover* \
            titelbild* umschlag* buchcover* bild couverture* copertina* portada* capa omslag kansi okładka* \
            okladka* обложка* 封面* 表紙* 표지* coveri smallimageurl
            """,
        query: ["cover", "image", "picture"], indexing: .presence)

    /// The identifiers other than ISBN, each with its scheme.
    public static let identifiers = BookField(
        "identifiers", "Identifiers", .gatheredList, "a number in a scheme",
        .init({ $0.identifiers }, { $0.identifiers = $1 }) { $0.identifiers },
        names: "identifiers** ids externalids* othernumbers* altidentifier* altidentifiers*")

    /// Translators, editors and others, each with the role.
    public static let contributors = BookField(
        "contributors", "Contributors", .gatheredList, "a name",
        .init({ $0.contributors }, { $0.contributors = $1 }) { $0.contributors },
        names: """
            contributors* contributor* contributions translators* translator* editors* illustrators* \
            illustrator* narrator* narrators* mitwirkende* übersetzer* traducteur* credits
            """)

    /// The rating, from 0 to 5.
    public static let rating = BookField(
        "rating", "Rating", .number, "a rating from 0 to the highest",
        .init({ $0.rating }, { $0.rating = $1 }) { $0.double },
        names: """
            rating* averagerating* ratingaverage* avgrating* ratingvalue* myrating* starrating* userrating* stars* score \
            bewertung* sterne* note nota valoración* valoracion* puntuacion* avaliação* voto valutazione* \
            waardering* betyg* arvosana* ocena оценка* рейтинг* 评分* 評価* 평점* marks
            """,
        query: ["rating", "ratings", "stars", "rated"],
        column: .init("Rating", .fixed(8), priority: 7, isNumber: true), order: .greatestFirst, isFacet: true,
        indexing: .column)

    /// The reading status.
    public static let status = BookField(
        "status", "Status", .status, "to-read, reading, read or abandoned",
        .init({ $0.status }, { $0.status = $1 }) { $0.readingStatus },
        names: """
            status readingstatus* readstatus* shelf exclusiveshelf* progress state readingstate* lesestatus* \
            statut stato estado leesstatus* stan статус isread read finished
            """,
        query: ["status", "progress"], isFacet: true, indexing: .column)

    /// The date when the book was added.
    public static let dateAdded = BookField(
        "dateAdded", "Date added", .date, "a date", .init({ $0.dateAdded }, { $0.dateAdded = $1 }) { $0.partialDate },
        names: """
            dateadded* added* addedon* addedat* addeddate* adddate createdat created createdon datecreated \
            creationdate timestamp dateacquired acquired acquiredon purchased purchasedate purchasedon \
            bought boughton hinzugefügt* hinzugefuegt* erfasst ajouté* ajoute* dateajout* aggiunto* añadido* \
            adicionado* toegevoegd* tillagd* dodano* добавлено*
            """,
        query: ["added", "dateadded"], column: .init("Added", .fixed(10), priority: 1), order: .greatestFirst,
        indexing: .column)

    /// The fields of every catalog, in the order of the JSON of stacks.
    public static let builtIn: [BookField] = [
        .title, .authors, .isbn, .pageCount, .fiction, .sourceID, .subtitle, .otherTitle, .sortTitle, .publisher,
        .published,
        .languages, .subjects, .series, .seriesPosition, .description, .cover, .identifiers, .contributors, .rating,
        .status, .dateAdded,
    ]

    /// The fields in the order of the form.
    public static let inForm: [BookField] = [
        .title, .authors, .published, .series, .seriesPosition, .publisher, .isbn, .pageCount, .languages, .subjects,
        .subtitle, .otherTitle, .sortTitle, .fiction, .contributors, .identifiers, .rating, .status, .dateAdded, .cover,
        .sourceID,
        .description,
    ]

    /// The fields below the facts of a card, in order; its heading and other parts have the rest.
    public static let inFacts: [BookField] = [
        .isbn, .publisher, .published, .subjects, .languages, .contributors, .identifiers, .status, .dateAdded, .cover,
        .sortTitle, .sourceID,
    ]

    /// The fields that are printed with a label, in order; the titles and authors precede them, and the description
    /// follows.
    public static let inPrint: [BookField] = [
        .isbn, .pageCount, .fiction, .series, .publisher, .published, .languages, .subjects, .rating, .contributors,
        .identifiers, .status, .dateAdded, .cover, .sortTitle, .sourceID,
    ]

    /// The fields with a column in lists, in the order in which they are offered.
    public static let inColumns: [BookField] = [
        .title, .authors, .series, .published, .pageCount, .rating, .languages, .publisher, .subjects, .isbn,
        .dateAdded,
    ]

    /// The fields whose values statistics count, in order.
    public static let inStatistics: [BookField] = [
        .title, .authors, .isbn, .published, .pageCount, .languages, .publisher, .subjects, .series, .fiction, .rating,
        .description, .cover, .dateAdded,
    ]

    /// The fields with a column in CSV that came later, after those for data of the reader; the year alone stands before.
    public static let laterInCSV: [(field: BookField, heading: String)] = [
        (.published, "published"), (.subtitle, "subtitle"), (.otherTitle, "otherTitle"), (.sortTitle, "sortTitle"),
        (.fiction, "fiction"),
        (.seriesPosition, "seriesPosition"), (.contributors, "contributors"), (.identifiers, "identifiers"),
        (.description, "description"), (.cover, "cover"), (.rating, "catalogRating"), (.status, "catalogStatus"),
        (.dateAdded, "dateAdded"), (.sourceID, "sourceID"),
    ]

    /// The fields with a column in CSV, in order, with the name of the column.
    public static let inCSV: [(field: BookField, heading: String)] = [
        (.title, "title"), (.authors, "authors"), (.isbn, "isbn"), (.pageCount, "pages"), (.published, "year"),
        (.publisher, "publisher"), (.languages, "language"), (.series, "series"), (.subjects, "subjects"),
    ]
}
