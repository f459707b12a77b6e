"""Runs Zebra with generated MARC records, for SRU and Z39.50: zebra.py DIRECTORY [COUNT | FILE] [private].

Prints its port, then serves until the end of its input: the database Default with COUNT records (300 by default)
as MARCXML, MODS and Dublin Core, and over Z39.50 as usmarc, too. The file books.json in DIRECTORY has the same
books as plain JSON. With FILE, a collection of MARCXML, it serves the records in that. Lines of the input, each answered by a line: "kill" ends the server, "start" starts it again, and
"add" adds a book. With "private", Z39.50 requires the user ann with the password secret-4711.
"""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from xml.sax.saxutils import escape

# PR_SET_PDEATHSIG
PRCTL = ctypes.CDLL(None).prctl
directory = sys.argv[1]
FILE = sys.argv[2] if len(sys.argv) > 2 and not sys.argv[2].isdigit() else None
COUNT = 0 if FILE else int(sys.argv[2]) if len(sys.argv) > 2 else 300
WORDS = ["river", "mountain", "garden", "winter", "music", "stars", "letters", "bread", "clocks", "ships", "glass"]
OTHERS = ["Émile", "Война и мир", "Ὀδύσσεια", "紅樓夢", "ألف ليلة", "C++", "O'Neill", "Straße", "Łódź"]
NAMES = ["Abel, Ann", "Brandt, Émilie", "Castro, Iván", "Dumas, Alexandre", "Eco, Umberto", "Fontane, Theodor"]
SUBJECTS = ["History", "Cooking", "Physics", "Fiction", "Travel"]
LANGUAGES = ["eng", "ger", "fre", "rus"]


def book(number):
    """Returns the book with this number; each field has another period, so that no two select the same books."""
    title = f"The {WORDS[number % 11]} of {WORDS[number * 7 % 11]} {number}"
    if number % 10 == 3:
        title = f"{OTHERS[number // 10 % len(OTHERS)]} {number}"
    if number == 8:
        title = 'A "quoted" title with a \\ and * and ?'
    return {
        "control": f"z{number:06}",
        "title": title,
        "author": NAMES[number % len(NAMES)],
        "subject": SUBJECTS[number // 2 % len(SUBJECTS)],
        "publisher": f"House {number % 8}",
        "series": f"Series {number % 13}" if number % 3 == 0 else None,
        "year": 1900 + number * 37 % 120,
        "pages": 100 + number,
        "isbn": isbn(number),
        "language": LANGUAGES[number % 4],
    }


def isbn(number):
    digits = f"978{310000000 + number:09}"
    check = -sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10
    return digits + str(check)


def record(book):
    """Returns a book as a record of MARCXML."""
    def field(tag, indicators, *parts):
        subfields = "".join(f'<subfield code="{code}">{escape(text)}</subfield>' for code, text in parts)
        return f'<datafield tag="{tag}" ind1="{indicators[0]}" ind2="{indicators[1]}">{subfields}</datafield>'

    fixed = f"260101s{book['year']}    gw            000 0 {book['language']} d"
    parts = [
        '<record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader>',
        f'<controlfield tag="001">{book["control"]}</controlfield><controlfield tag="003">TEST</controlfield>',
        f'<controlfield tag="008">{fixed}</controlfield>',
        field("020", "  ", ("a", book["isbn"])),
        field("100", "1 ", ("a", book["author"])),
        field("245", "10", ("a", book["title"])),
        field("260", "  ", ("a", "Berlin"), ("b", book["publisher"]), ("c", str(book["year"]))),
        field("300", "  ", ("a", f"{book['pages']} pages")),
        field("490", "0 ", ("a", book["series"])) if book["series"] else "",
        field("650", " 0", ("a", book["subject"])),
        "</record>",
    ]
    return "".join(parts)


def write(name, text):
    with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
        file.write(text)


def write_records():
    books = [book(number) for number in range(COUNT)]
    write("books.json", json.dumps(books, ensure_ascii=False))
    if FILE:
        shutil.copy(FILE, os.path.join(directory, "books.xml"))
    else:
        write("books.xml", "<collection>" + "".join(map(record, books)) + "</collection>")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


PORT = free_port()
INDEXES = [
    ("marc:controlfield[@tag='001']", "Local-number:0 Local-number:w Local-number:s"),
    ("marc:datafield[@tag='245']/marc:subfield", "Title:w Title:p Title:s Any:w"),
    ("marc:datafield[@tag='100']/marc:subfield", "Author:w Author:p Author:s creator:s Any:w"),
    ("marc:datafield[@tag='650']/marc:subfield", "Subject-heading:w Subject-heading:p Any:w"),
    ("marc:datafield[@tag='490']/marc:subfield", "Title-series:w Title-series:p Any:w"),
    ("marc:datafield[@tag='260']/marc:subfield[@code='b']", "Publisher:w Publisher:p"),
    ("marc:datafield[@tag='260']/marc:subfield[@code='c']", "Date-of-publication:n Date-of-publication:s"),
    ("marc:datafield[@tag='260']/marc:subfield[@code='c']", "Date-of-publication:w Date-of-publication:y date:s"),
    ("marc:datafield[@tag='020']/marc:subfield", "ISBN:w Any:w"),
    ("marc:controlfield[@tag='008']", "Code-language:w"),
]


def index_rules():
    rules = []
    for path, names in INDEXES:
        value = "substring(., 36, 3)" if "008" in path else "."
        rules.append(
            f'<xsl:for-each select="{path}"><z:index name="{names}"><xsl:value-of select="{value}"/></z:index>'
            "</xsl:for-each>")  # fmt: skip
    return "".join(rules)


STYLE = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" '


def write_configuration():
    write(
        "zebra.cfg",
        f"""profilePath: {directory}:/usr/share/idzebra-2.0/tab
modulePath: /usr/lib/x86_64-linux-gnu/idzebra-2.0/modules:/usr/lib/aarch64-linux-gnu/idzebra-2.0/modules
recordtype: dom.dom.xml
recordId: (bib1,Local-number)
storeKeys: 1
storeData: 1
attset: bib1.att
index: registers.idx
encoding: utf-8
register: {directory}/register:1G
{f"passwd: {directory}/passwords" if "private" in sys.argv else ""}
lockDir: {directory}
keyTmpDir: {directory}
setTmpDir: {directory}
""")  # fmt: skip
    write(
        "registers.idx",
        open("/usr/share/idzebra-2.0/tab/icu.idx", encoding="utf-8").read()
        + "\nindex n\ncompleteness 0\ncharmap numeric.chr\nindex 0\ncompleteness 0\nposition 1\ncharmap @\n"
        "index y\ncompleteness 0\ncharmap @\n")  # fmt: skip
    write(
        "dom.xml",
        '<dom><extract name="index"><xslt stylesheet="index.xsl"/></extract><retrieve name="marc">'
        '<xslt stylesheet="identity.xsl"/></retrieve><retrieve name="dc"><xslt stylesheet="dc.xsl"/></retrieve>'
        '<retrieve name="mods"><xslt stylesheet="mods.xsl"/></retrieve>'
        '<input syntax="xml"><xmlreader level="1"/></input></dom>')  # fmt: skip
    write(
        "index.xsl",
        STYLE + 'xmlns:z="http://indexdata.com/zebra-2.0" xmlns:marc="http://www.loc.gov/MARC21/slim">'
        '<xsl:template match="text()"/><xsl:template match="marc:record"><z:record z:id="{marc:controlfield[@tag=\'001\']}">'
        f"{index_rules()}</z:record></xsl:template></xsl:stylesheet>")  # fmt: skip
    write(
        "identity.xsl",
        STYLE + '><xsl:template match="node()|@*"><xsl:copy><xsl:apply-templates select="@*|node()"/></xsl:copy>'
        "</xsl:template></xsl:stylesheet>")  # fmt: skip
    field = "marc:datafield[@tag='{}']/marc:subfield[@code='a']".format
    write(
        "dc.xsl",
        STYLE + 'xmlns:marc="http://www.loc.gov/MARC21/slim" xmlns:dc="http://purl.org/dc/elements/1.1/" '
        'exclude-result-prefixes="marc"><xsl:template match="marc:record">'
        '<srw_dc:dc xmlns:srw_dc="info:srw/schema/1/dc-schema">'
        f"<dc:title><xsl:value-of select=\"{field('245')}\"/></dc:title>"
        f"<dc:creator><xsl:value-of select=\"{field('100')}\"/></dc:creator>"
        f"<dc:subject><xsl:value-of select=\"{field('650')}\"/></dc:subject>"
        "<dc:publisher><xsl:value-of select=\"marc:datafield[@tag='260']/marc:subfield[@code='b']\"/></dc:publisher>"
        "<dc:date><xsl:value-of select=\"marc:datafield[@tag='260']/marc:subfield[@code='c']\"/></dc:date>"
        f"<dc:identifier>URN:ISBN:<xsl:value-of select=\"{field('020')}\"/></dc:identifier>"
        "</srw_dc:dc></xsl:template></xsl:stylesheet>")  # fmt: skip
    write(
        "mods.xsl",
        STYLE + 'xmlns:marc="http://www.loc.gov/MARC21/slim" exclude-result-prefixes="marc">'
        '<xsl:template match="marc:record"><mods xmlns="http://www.loc.gov/mods/v3"><titleInfo>'
        f"<title><xsl:value-of select=\"{field('245')}\"/></title></titleInfo><name type=\"personal\">"
        f"<namePart><xsl:value-of select=\"{field('100')}\"/></namePart></name>"
        "<recordInfo><recordIdentifier><xsl:value-of select=\"marc:controlfield[@tag='001']\"/></recordIdentifier>"
        "</recordInfo></mods></xsl:template></xsl:stylesheet>")  # fmt: skip
    write("passwords", "ann:secret-4711\n")
    write("cql.properties", CQL)
    write("explain.xml", EXPLAIN)
    write(
        "server.xml",
        f"""<yazgfs><listen id="tcp">tcp:127.0.0.1:{PORT}</listen><server id="main" listenref="tcp">
<config>{directory}/zebra.cfg</config><cql2rpn>{directory}/cql.properties</cql2rpn>
<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{directory}/explain.xml"/>
<retrievalinfo>
<retrieval syntax="usmarc" name="F"><backend syntax="xml" name="marc"><marc inputformat="xml" outputformat="marc"
 outputcharset="marc-8" leaderspec="9=' '"/></backend></retrieval>
<retrieval syntax="usmarc"><backend syntax="xml" name="marc"><marc inputformat="xml" outputformat="marc"
 outputcharset="utf-8"/></backend></retrieval>
<retrieval syntax="xml" name="marcxml" identifier="info:srw/schema/1/marcxml-v1.1"><backend syntax="xml" name="marc"/></retrieval>
<retrieval syntax="xml" name="dc" identifier="info:srw/schema/1/dc-v1.1"><backend syntax="xml" name="dc"/></retrieval>
<retrieval syntax="xml" name="mods" identifier="info:srw/schema/1/mods-v3.5"><backend syntax="xml" name="mods"/></retrieval>
<retrieval syntax="xml"/>
</retrievalinfo></server></yazgfs>""")  # fmt: skip


CQL = """set.cql = info:srw/cql-context-set/1/cql-v1.2
set.rec = info:srw/cql-context-set/2/rec-1.1
set.dc = info:srw/cql-context-set/1/dc-v1.1
set.bath = http://zing.z3950.org/cql/bath/2.0/
set.bib = info:srw/cql-context-set/1/bib-v1
set.sort = info:srw/cql-context-set/1/sort-v1.0
set = info:srw/cql-context-set/1/dc-v1.1
index.cql.serverChoice = 1=1016
index.cql.allRecords = 1=_ALLRECORDS 2=103
index.rec.id = 1=12
index.dc.title = 1=4
index.dc.creator = 1=1003
index.dc.subject = 1=21
index.dc.publisher = 1=1018
index.dc.date = 1=31 4=109
index.dc.language = 1=54
index.bath.isbn = 1=7
index.bib.titleSeries = 1=5
relation.< = 2=1
relation.le = 2=2
relation.eq = 2=3
relation.exact = 2=3
relation.ge = 2=4
relation.> = 2=5
relation.<> = 2=6
relation.all = 4=6
relation.any = 4=105
relation.scr = 2=3
position.first = 3=1 6=1
position.any = 3=3 6=1
position.last = 3=4 6=1
position.firstAndLast = 3=3 6=3
structure.exact = 4=108
structure.all = 4=2
structure.any = 4=2
structure.* = 4=1
truncation.right = 5=1
truncation.left = 5=2
truncation.both = 5=3
truncation.none = 5=100
truncation.z3958 = 5=104
"""
EXPLAIN = """<explain xmlns="http://explain.z3950.org/dtd/2.0/"><serverInfo protocol="SRU" version="1.2" transport="http"
 method="GET POST"><host>localhost</host><port>0</port><database>Default</database></serverInfo><databaseInfo>
<title>Generated books</title></databaseInfo><indexInfo>
<set identifier="info:srw/cql-context-set/1/dc-v1.1" name="dc"/><set identifier="info:srw/cql-context-set/1/cql-v1.2" name="cql"/>
<index sort="true"><title>title</title><map><name set="dc">title</name></map></index>
<index sort="true"><title>creator</title><map><name set="dc">creator</name></map></index>
<index><title>subject</title><map><name set="dc">subject</name></map></index>
<index><title>publisher</title><map><name set="dc">publisher</name></map></index>
<index sort="true"><title>date</title><map><name set="dc">date</name></map></index>
<index><title>language</title><map><name set="dc">language</name></map></index>
<index><title>ISBN</title><map><name set="bath">isbn</name></map></index>
<index><title>series</title><map><name set="bib">titleSeries</name></map></index>
<index><title>number</title><map><name set="rec">id</name></map></index>
<index><title>all</title><map><name set="cql">allRecords</name></map></index>
<index><title>any</title><map><name set="cql">serverChoice</name></map></index>
</indexInfo><schemaInfo>
<schema identifier="info:srw/schema/1/dc-v1.1" name="dc"><title>Dublin Core</title></schema>
<schema identifier="info:srw/schema/1/marcxml-v1.1" name="marcxml"><title>MARCXML</title></schema>
<schema identifier="info:srw/schema/1/mods-v3.5" name="mods"><title>MODS</title></schema>
</schemaInfo><configInfo><default type="numberOfRecords">1</default></configInfo></explain>"""


def index(*arguments):
    subprocess.run(
        ["zebraidx", "-c", directory + "/zebra.cfg", *arguments], cwd=directory, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip


def start():
    server = subprocess.Popen(
        ["zebrasrv", "-l", directory + "/server.log", "-f", directory + "/server.xml"], cwd=directory,
        stdout=subprocess.DEVNULL, preexec_fn=lambda: (PRCTL(1, 9), os.setpgid(0, 0)))  # fmt: skip
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", PORT), 1).close()
            break
        except OSError:
            time.sleep(0.02)
    return server


def stop():
    # The server handles each connection in a process of its own.
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


os.makedirs(directory + "/register", exist_ok=True)
write_records()
write_configuration()
index("init")
index("update", "books.xml")
server = start()
print(PORT, flush=True)
for line in sys.stdin:
    if line.strip() == "kill":
        stop()
    elif line.strip() == "start":
        server = start()
    elif line.strip() == "add":
        COUNT += 1
        write_records()
        index("update", "books.xml")
    print("done", flush=True)
if server.poll() is None:
    stop()
