import Testing

@testable import Books
@testable import JSON

@Suite("Coercion: dates") struct DateCoercionTests {
    private func value(_ json: String) throws -> JSONValue {
        try #require(JSONValue(parsing: Array(json.utf8)))
    }

    @Test(
        arguments: [
            ("2004", "2004"), ("2004-03", "2004-03"), ("2004-03-05", "2004-03-05"), ("2004-3-5", "2004-03-05"),
            ("2004-03-05T10:20:30Z", "2004-03-05"), ("2004-03-05 10:20:30", "2004-03-05"),
            ("2004-03-05T23:00:00-08:00", "2004-03-05"), ("2004/03/05", "2004-03-05"), ("2004.03.05", "2004-03-05"),
            ("20040305", "2004-03-05"), ("20041399", nil), (" 2004\n", "2004"), ("-0750", "-0750"), ("-750", "-0750"),
            ("-0750-04-01", "-0750-04-01"), ("+002004-03-05T00:00:00Z", "2004-03-05"), ("+1922-00-00", "1922"),
            ("0750", "0750"), ("850", "0850"), ("750 BC", "-0750"), ("750 B.C.", "-0750"), ("750 BCE", "-0750"),
            ("750BC", "-0750"), ("c. 44 bc", "-0044"), ("AD 79", "0079"), ("79 AD", "0079"), ("79 C.E.", "0079"),
            ("c1997", "1997"), ("©1997", "1997"), ("(c) 1997", "1997"), ("[1997]", "1997"), ("[1997-05]", "1997-05"),
            ("1997?", "1997"), ("ca. 1850", "1850"), ("p1997, c1995", "1997"), ("2nd ed. 1997", "1997"),
            ("March 2004", "2004-03"), ("Mar 5, 2004", "2004-03-05"), ("March 5th, 2004", "2004-03-05"),
            ("5 March 2004", "2004-03-05"), ("5th of March, 2004", "2004-03-05"), ("05-Mar-2004", "2004-03-05"),
            ("2004 March", "2004-03"), ("2004 March 5", "2004-03-05"), ("2004 Mar. 05", "2004-03-05"),
            ("Fri Mar 05 12:30:00 GMT 2004", "2004-03-05"), ("Friday, 5 Sept 2004", "2004-09-05"),
            ("SEPTEMBER 2004", "2004-09"),
            ("June 31, 2004", "2004-06"), ("Spring 2004", "2004"), ("March", nil), ("March 5", nil),
            ("March 44 BC", "-0044-03"),
            ("03/05/2004", "2004"), ("13/05/2004", "2004-05-13"), ("05/13/2004", "2004-05-13"),
            ("05/05/2004", "2004-05-05"),
            ("31/31/2004", "2004"), ("5.3.2004", "2004-03-05"), ("03/2004", "2004-03"), ("03-05-2004", "2004"),
            ("3/5/04", nil), ("199-?", nil), ("199-", nil), ("199?", nil), ("19uu", nil), ("199u", nil), ("19--", nil),
            ("1997-1999", "1997"), ("1997-98", "1997"), ("850-900", "0850"), ("1997-06/1998-07", "1997-06"),
            ("2004/2005", "2004"), ("1990s", "1990"), ("2004-13", "2004"), ("2004-02-30", "2004-02"),
            ("2004-02-29", "2004-02-29"),
            ("2003-02-29", "2003-02"), ("1900-02-29", "1900-02"), ("2000-02-29", "2000-02-29"), ("2004-00-00", "2004"),
            ("2004-03-00", "2004-03"), ("0001-01-01", nil), ("0001-01-01T00:00:00", nil), ("0101-01-01", nil),
            ("0101-01-01T00:00:00+00:00", nil), ("01/01/0001", nil), ("0001-01-02", "0001-01-02"), ("0000", nil),
            ("0000-00-00", nil), ("0000-00-00 00:00:00", nil), ("None", nil), ("", nil), ("null", nil), ("n.d.", nil),
            ("unknown", nil), ("12", nil), ("-12", "-0012"), ("12345", nil), ("+12345-01-01", nil),
            ("19th century", nil),
            ("-", nil), ("--", nil), ("－", nil), ("1997年3月", "1997"), ("９", nil),
        ] as [(String, String?)])
    func datesAreReadInEveryForm(text: String, expected: String?) {
        #expect(JSONValue.string(text).partialDate?.description == expected)
    }

    @Test(
        arguments: [
            ("2004", "2004"), ("2004.0", "2004"), ("2.004e3", "2004"), ("-750", "-0750"), ("79", "0079"), ("0", nil),
            ("2004.5", nil), ("20040305", "2004-03-05"), ("12345", nil), ("1078444800000", nil), ("1e400", nil),
            (#"{"date-parts": [[2004, 3, 5]]}"#, "2004-03-05"), (#"{"date-parts": [["2004", "3"]]}"#, "2004-03"),
            (#"{"date-parts": [[2004]], "season": 1}"#, "2004"), (#"{"date-parts": [[-44, 3, 15]]}"#, "-0044-03-15"),
            (#"{"date-parts": [[2004], [2006]]}"#, "2004"), (#"{"date-parts": [[]], "raw": "May 1990"}"#, "1990-05"),
            (#"{"date-parts": [[null]], "literal": "1990?"}"#, "1990"), ("[[2004, 3, 5]]", "2004-03-05"),
            ("[2004, 3, 5]", "2004-03-05"), (#"["2004", "3", "5"]"#, "2004-03-05"), ("[1990, 2005]", "1990"),
            (#"["2004-03-05", "1999"]"#, "2004-03-05"), (#"[null, "1999"]"#, "1999"), ("[2004, null, 5]", "2004"),
            ("[0]", nil), ("[1, 1, 1]", nil), (#"{"raw": "c1997"}"#, "1997"), (#"{"literal": "n.d."}"#, nil),
            (#"{"year": 2004, "month": "3"}"#, "2004-03"),
            (#"{"$date": "2009-04-01T00:00:00.000-0700"}"#, "2009-04-01"),
            (#"{"$date": 1078444800000}"#, "2004-03-05"), (#"{"$date": -1}"#, "1969-12-31"),
            (#"{"$date": 0}"#, "1970-01-01"),
            (#"{"$date": {"$numberLong": "1078444800000"}}"#, "2004-03-05"),
            (#"{"$date": 951782400000}"#, "2000-02-29"),
            (#"{"$date": -62135596800000}"#, nil), (#"{"$date": {"$numberLong": "-62135510400000"}}"#, "0001-01-02"),
            (#"{"$date": 1e300}"#, nil), (#"{"$date": -99999999999999}"#, "-1200-02-15"), (#"{"$date": null}"#, nil),
            (#"{"$date": {"$numberLong": "x"}}"#, nil), (#"{"modified": "2004"}"#, nil), ("null", nil), ("true", nil),
            ("[]", nil), ("{}", nil), ("[[[[2004]]]]", "2004"),
        ] as [(String, String?)])
    func datesAreReadFromEveryValue(json: String, expected: String?) throws {
        #expect(try value(json).partialDate?.description == expected)
    }

    @Test func instantsAreThoseOfTheCalendar() {
        // Every day of several years around a century, including leap years.
        var milliseconds = -2_208_988_800_000.0  // 1900-01-01
        for year in 1900...2001 {
            let isLeap = year % 4 == 0 && year != 1900
            for (month, count) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in 1...count {
                    let date = PartialDate(year: year, month: month + 1, day: day)
                    #expect(PartialDate(milliseconds: milliseconds) == date)
                    #expect(PartialDate(milliseconds: milliseconds + 86_399_999) == date)
                    milliseconds += 86_400_000
                }
            }
        }
    }

    @Test func datesAreOrderedAndWhatIsUnknownComesFirst() {
        let ordered = [
            PartialDate(year: -750), .init(year: -44, month: 3, day: 15), .init(year: 79), .init(year: 2004),
            .init(year: 2004, month: 3), .init(year: 2004, month: 3, day: 1), .init(year: 2004, month: 3, day: 5),
            .init(year: 2004, month: 4), .init(year: 2005),
        ]
        #expect(ordered.reversed().sorted() == ordered)
        for date in ordered { #expect(JSONValue.string(date.description).partialDate == date) }
    }
}
