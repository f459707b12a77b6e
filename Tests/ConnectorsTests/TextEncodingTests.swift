import ConnectorProtocol
import ConnectorTesting
import Glibc
import JSON
import Testing

@testable import Connectors

/// The encoding of a table is detected by what its text looks like.
@Suite("Connectors: encodings of text") struct TextEncodingTests {
    /// Titles and authors in a language, with encodings in which programs write them.
    private static let catalogs: [(rows: String, encodings: [String])] = [
        (
            "Les Misérables;Victor Hugo|À la recherche du temps perdu;Marcel Proust|L'Étranger;Albert Camus|"
                + "Le Père Goriot;Honoré de Balzac|Cyrano de Bergerac;Edmond Rostand|Thérèse Raquin;Émile Zola|"
                + "La Bête humaine;Émile Zola|Germinal;Émile Zola|L'Éducation sentimentale;Gustave Flaubert|"
                + "Mémoires d'Hadrien;Marguerite Yourcenar",
            ["Windows-1252"]
        ),
        (
            "Die Verwandlung;Franz Kafka|Der Prozeß;Franz Kafka|Über die Dörfer;Peter Handke|"
                + "Die Räuber;Friedrich Schiller|Wanderers Nachtlied;Goethe|Die Blechtrommel;Günter Grass|"
                + "Ansichten eines Clowns;Heinrich Böll|Das Schloß;Franz Kafka|Gedichte;Eduard Mörike",
            ["Windows-1252"]
        ),
        (
            "Cien años de soledad;Gabriel García Márquez|El señor presidente;Miguel Ángel Asturias|"
                + "Don Quijote;Cervantes|La casa de los espíritus;Isabel Allende|Niebla;Miguel de Unamuno|"
                + "Pedro Páramo;Juan Rulfo",
            ["Windows-1252"]
        ),
        (
            "Röda rummet;August Strindberg|Gösta Berlings saga;Selma Lagerlöf|"
                + "Pippi Långstrump;Astrid Lindgren|Doktor Glas;Hjalmar Söderberg|Kallocain;Karin Boye",
            ["Windows-1252"]
        ),
        (
            "Lalka;Bolesław Prus|Quo vadis: Powieść z czasów Nerona;Henryk Sienkiewicz|"
                + "Ziemia obiecana;Władysław Reymont|Chłopi;Władysław Reymont|Pan Tadeusz;Adam Mickiewicz|"
                + "Wiedźmin;Andrzej Sapkowski|Sklepy cynamonowe;Bruno Schulz|Księgi Jakubowe;Olga Tokarczuk|"
                + "Zniewolony umysł;Czesław Miłosz|Nad Niemnem;Eliza Orzeszkowa|Potop;Henryk Sienkiewicz|"
                + "Krzyżacy;Henryk Sienkiewicz",
            ["Windows-1250", "ISO-8859-2"]
        ),
        (
            "Osudy dobrého vojáka Švejka;Jaroslav Hašek|Babička;Božena Němcová|"
                + "Nesnesitelná lehkost bytí;Milan Kundera|Válka s mloky;Karel Čapek|"
                + "Příliš hlučná samota;Bohumil Hrabal|Ostře sledované vlaky;Bohumil Hrabal|Žert;Milan Kundera|"
                + "Kytice;Karel Jaromír Erben|Máj;Karel Hynek Mácha",
            ["Windows-1250", "ISO-8859-2"]
        ),
        (
            "Kürk Mantolu Madonna;Sabahattin Ali|İnce Memed;Yaşar Kemal|Çalıkuşu;Reşat Nuri Güntekin|"
                + "Masumiyet Müzesi;Orhan Pamuk|Saatleri Ayarlama Enstitüsü;Ahmet Hamdi Tanpınar|"
                + "Tutunamayanlar;Oğuz Atay|Kar;Orhan Pamuk|Benim Adım Kırmızı;Orhan Pamuk|"
                + "Aşk-ı Memnu;Halit Ziya Uşaklıgil",
            ["Windows-1254"]
        ),
        (
            "Война и мир;Лев Толстой|Преступление и наказание;Фёдор Достоевский|"
                + "Мастер и Маргарита;Михаил Булгаков|Анна Каренина;Лев Толстой|Идиот;Фёдор Достоевский|"
                + "Евгений Онегин;Александр Пушкин|Мёртвые души;Николай Гоголь|Отцы и дети;Иван Тургенев",
            ["Windows-1251", "KOI8-R", "IBM866", "ISO-8859-5"]
        ),
        (
            "Βίος και Πολιτεία του Αλέξη Ζορμπά;Νίκος Καζαντζάκης|"
                + "Ο Χριστός ξανασταυρώνεται;Νίκος Καζαντζάκης|Η Φόνισσα;Αλέξανδρος Παπαδιαμάντης|"
                + "Το Άξιον Εστί;Οδυσσέας Ελύτης|Μυθιστόρημα;Γιώργος Σεφέρης",
            ["Windows-1253"]
        ),
        (
            "סיפור על אהבה וחושך;עמוס עוז|מיכאל שלי;עמוס עוז|תמול שלשום;שמואל יוסף עגנון|"
                + "ספר הדקדוק הפנימי;דויד גרוסמן|המאהב;אברהם ב. יהושע",
            ["Windows-1255"]
        ),
        (
            "أولاد حارتنا;نجيب محفوظ|موسم الهجرة إلى الشمال;الطيب صالح|الأيام;طه حسين|"
                + "رجال في الشمس;غسان كنفاني|مدن الملح;عبد الرحمن منيف|اللص والكلاب;نجيب محفوظ",
            ["Windows-1256"]
        ),
        (
            "吾輩は猫である;夏目漱石|こころ;夏目漱石|雪国;川端康成|人間失格;太宰治|ノルウェイの森;村上春樹|金閣寺;三島由紀夫|羅生門;芥川龍之介|坊っちゃん;夏目漱石",
            ["CP932", "EUC-JP"]
        ),
        (
            "채식주의자;한강|토지;박경리|엄마를 부탁해;신경숙|태백산맥;조정래|난장이가 쏘아올린 작은 공;조세희|광장;최인훈|소나기;황순원",
            ["UHC"]
        ),
        (
            "红楼梦;曹雪芹|西游记;吴承恩|三国演义;罗贯中|水浒传;施耐庵|骆驼祥子;老舍|围城;钱钟书|活着;余华|呐喊;鲁迅",
            ["GB18030"]
        ),
        (
            "紅樓夢;曹雪芹|西遊記;吳承恩|三國演義;羅貫中|水滸傳;施耐庵|駱駝祥子;老舍|圍城;錢鍾書|活著;余華|吶喊;魯迅|城南舊事;林海音",
            ["BIG5"]
        ),
    ]
    private static let cases = catalogs.flatMap { catalog in catalog.encodings.map { (catalog.rows, $0) } }

    @Test(arguments: Self.cases)
    func aLegacyEncodingIsDetected(rows: String, encoding: String) throws {
        let table = "Title;Author\n" + rows.replacing("|", with: "\n") + "\n"
        let copy = try Mirrored(encoded(table, in: encoding), name: "books.csv")
        let books = copy.rows.map { ($0["Title"]?.string ?? "") + ";" + ($0["Author"]?.string ?? "") }
        #expect(books.joined(separator: "|") == rows, "read as \(copy.opened.facts["encoding"] ?? "")")
        #expect(copy.copy.defects == [])
    }

    @Test("A name with one accent is Western European", arguments: ["Emily Brontë", "Günter Grass", "Émile Zola"])
    func oneAccent(name: String) throws {
        let copy = try Mirrored(encoded("Title,Author\nA,\(name)\nB,Ann\n", in: "Windows-1252"), name: "books.csv")
        #expect(copy.rows.first?["Author"]?.string == name && copy.opened.facts["encoding"] == "Windows-1252")
    }

    @Test("UTF-8 with few faults is UTF-8; the row is kept and reported", arguments: [0xE2, 0xFF, 0x80] as [UInt8])
    func rareErrors(byte: UInt8) throws {
        let before = Array("Title,Author\nRécit du maître,Zoé Béart\nPl".utf8)
        let copy = try Mirrored(before + [byte] + Array("in one,Zoé\n雪国,川端康成\n".utf8), name: "books.csv")
        #expect(copy.opened.facts["encoding"] == "UTF-8")
        #expect(copy.rows.map { $0["Author"]?.string } == ["Zoé Béart", "Zoé", "川端康成"])
        #expect(copy.rows.first?["Title"]?.string == "Récit du maître")
        let defect = try #require(copy.copy.defects.first)
        #expect(defect.kind == .encoding && defect.count == 1 && defect.first == .line(3))
    }

    @Test("Names that are not those of an encoding which has ASCII are refused")
    func names() {
        #expect(TextEncoding(named: "utf-8") == .utf8 && TextEncoding(named: "cp1252") == .windows1252)
        #expect(TextEncoding(named: "windows-1251")?.name == "Windows-1251")
        #expect(TextEncoding(named: "koi8-r") != nil && TextEncoding(named: "latin1") != nil)
        #expect(TextEncoding(named: "UTF-32") == nil && TextEncoding(named: "no such") == nil)
    }

    /// Returns a text in an encoding of the system's converter.
    private func encoded(_ text: String, in encoding: String) throws -> [UInt8] {
        let converter = try #require(iconv_open(encoding, "UTF-8"))
        defer { iconv_close(converter) }
        var input = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: input.count * 2)
        var (inputRest, outputRest) = (input.count, output.count)
        let result = input.withUnsafeMutableBytes { input in
            output.withUnsafeMutableBytes { output in
                var from = input.baseAddress?.assumingMemoryBound(to: CChar.self)
                var to = output.baseAddress?.assumingMemoryBound(to: CChar.self)
                return iconv(converter, &from, &inputRest, &to, &outputRest)
            }
        }
        try #require(result != -1)
        return Array(output.dropLast(outputRest))
    }
}
