/// A catalog of titles in many scripts, and of titles that could harm a terminal.
enum Scripts {
    /// The number of books.
    static let count = 52

    /// The control sequences in the titles, none of which may reach the terminal.
    static let sequences = ["\u{1B}]0;", "\u{1B}[6n", "\u{1B}[31m", "\u{1B}c", "\u{1B}[2K", "\u{1B}P"]

    /// The catalog as JSON. Invisible characters and characters that could affect an editor are escaped.
    static let catalog = #"""
        [
        {"title": "紅樓夢", "authors": ["曹雪芹", "高鶚"]},
        {"title": "三国演义：插图珍藏本，全一百二十回，附人物表与地图及历代评点选辑", "authors": ["罗贯中"]},
        {"title": "雪国", "authors": ["川端康成"]},
        {"title": "ノルウェイの森", "authors": ["村上春樹"]},
        {"title": "ねじまき鳥クロニクル", "authors": ["むらかみ はるき"]},
        {"title": "ﾊﾝｶｸｶﾅ half width", "authors": ["ｶﾅ"]},
        {"title": "채식주의자", "authors": ["한강"]},
        {"title": "\u1112\u1161\u11ab\u1100\u1173\u11af in conjoining letters", "authors": ["\u1112\u1161\u11ab"]},
        {"title": "ألف ليلة وليلة", "authors": ["مجهول"]},
        {"title": "مُقَدِّمَة ٱبْن خَلْدُون", "authors": ["ابن خلدون"]},
        {"title": "\u0600١٢٣ and \u06dd١٢", "authors": ["signs over digits"]},
        {"title": "סיפור על אהבה וחושך", "authors": ["עמוס עוז"]},
        {"title": "בְּרֵאשִׁית בָּרָא אֱלֹהִים", "authors": ["משה"]},
        {"title": "गोदान", "authors": ["प्रेमचंद"]},
        {"title": "श्रीमद्भगवद्गीता क्षत्रिय", "authors": ["व्यास"]},
        {"title": "వేయిపడగలు", "authors": ["విశ్వనాథ సత్యనారాయణ"]},
        {"title": "స్త్రీ కృష్ణ", "authors": ["జ్ఞానపీఠ్"]},
        {"title": "ข้างหลังภาพ", "authors": ["ศรีบูรพา"]},
        {"title": "น้ำท่วมที่ปิ่นเกล้า", "authors": ["กิ่งไม้"]},
        {"title": "សៀវភៅ", "authors": ["ខ្មែរ"]},
        {"title": "བོད་ཡིག", "authors": ["རྒྱ"]},
        {"title": "Οδύσσεια", "authors": ["Όμηρος"]},
        {"title": "Ὀδύσσεια ἄνδρα μοι ἔννεπε", "authors": ["Ὅμηρος"]},
        {"title": "Война и мир", "authors": ["Лев Толстой"]},
        {"title": "И\u0306же и\u0306", "authors": ["Е\u0308лка"]},
        {"title": "Cafe\u0301 nai\u0308ve re\u0301sume\u0301", "authors": ["Bronte\u0308"]},
        {"title": "Việt Nam sử lược", "authors": ["Trần Trọng Kim"]},
        {"title": "\ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67\u200d\ud83d\udc66 a family", "authors": ["\ud83d\udc69\u200d\ud83d\ude80"]},
        {"title": "\ud83d\udc4d\ud83c\udffd\ud83d\udc4d\ud83c\udfff skin tones", "authors": ["\ud83d\udc4b\ud83c\udffb"]},
        {"title": "\ud83c\udded\ud83c\uddfa\ud83c\uddef\ud83c\uddf5 flags \ud83c\udde9", "authors": ["\ud83c\uddeb\ud83c\uddf7"]},
        {"title": "\u2764\ufe0f heart, \u2764\ufe0e text, \u00a9\ufe0f, 1\ufe0f\u20e3 keycap", "authors": ["\u270c\ufe0f\ud83c\udffd"]},
        {"title": "\ud83c\udff4\udb40\udc67\udb40\udc62\udb40\udc65\udb40\udc6e\udb40\udc67\udb40\udc7f a flag of tags", "authors": ["\udb40\udc41tag"]},
        {"title": "\ud83c\udff3\ufe0f\u200d\ud83c\udf08 rainbow \ud83d\udc41\ufe0f\u200d\ud83d\udde8\ufe0f", "authors": ["\ud83e\uddd1\ud83c\udffe\u200d\ud83d\udcbb"]},
        {"title": "ＦＵＬＬ　ＷＩＤＴＨ！", "authors": ["ＡＢＣ"]},
        {"title": "Z\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309\u030a\u030b\u030ca\u0316\u0317\u0318\u0319\u031a\u031b\u031c\u031d\u031e\u031fl\u0320\u0321\u0322\u0323g\u0324\u0325\u0326\u0327o\u0489\u0489\u0489", "authors": ["\u0301\u0302 marks alone"]},
        {"title": "\u202eright to left\u202c over\u202dride \u2067isolate\u2069", "authors": ["\u202eevil"]},
        {"title": "\u200emarks\u200f and\u061c more \u2066\u2068\u202a\u202b", "authors": ["\u200b\u200c\u200d\u2060\ufeff"]},
        {"title": "bell \u0007 and back\u0008space and \u007f", "authors": ["\u0000NUL\u0000"]},
        {"title": "\u001b]0;owned\u0007 a window's title", "authors": ["\u001b[31mred"]},
        {"title": "\u001b[6n a question to the terminal \u001b[2K", "authors": ["\u001bc reset"]},
        {"title": "\u009b31m C1 \u009d0;owned\u009c and \u0085 and \u0090", "authors": ["\u001bPdevice\u001b\\"]},
        {"title": "two\nlines\r\nand\ta tab\u000b\u000c", "authors": ["a\rreturn"]},
        {"title": "separators \u2028 and \u2029", "authors": ["soft\u00adhyphen \u180e"]},
        {"title": "\ufff9annotated\ufffabelow\ufffb \ud834\udd73music\ud834\udd74", "authors": ["\ud82f\udca0"]},
        {"title": "\ufffe\uffff\ufdd0 noncharacters \ud800 alone \udc00", "authors": ["\udbff\udfff"]},
        {"title": "\ue000\uf8ff private use \udb80\udc00", "authors": ["\uf000"]},
        {"title": "tabs\u0009\u0009\u0009tabs", "authors": ["\u0001\u0002\u0003\u0004\u0005\u0006"]},
        {"title": "ﷺ ﷽ wide ligatures ⸻ ꧁꧂ 𒐫", "authors": ["𒈙"]},
        {"title": "𠀀𠀁 beyond the first plane 𝔉𝔯𝔞𝔨𝔱𝔲𝔯", "authors": ["𐐷"]},
        {"title": "a wide one in the last column, or over its edge: 漢字漢字漢字漢字漢字漢字漢字漢字", "authors": ["字字字字字字字字字字字字字字字字字字字"]},
        {"title": "1 wide one in the last column, or over its edge 漢字漢字漢字漢字漢字漢字漢字漢字", "authors": ["a字字字字字字字字字字字字字字字字字字字"]},
        {"title": "\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00", "authors": ["\ud83d\ude00\ud83d\udc69\u200d\ud83d\ude80\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00\ud83d\ude00"]}
        ]
        """#
}
