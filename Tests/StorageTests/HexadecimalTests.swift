import Storage
import Testing

@Suite("Hexadecimal numbers") struct HexadecimalTests {
    @Test(arguments: [0, 1, 0x9, 0xA, 0xF, 0x10, 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, .max] as [UInt64])
    func itHasSixteenDigitsWhichGiveTheNumber(_ number: UInt64) {
        #expect(number.hexadecimal.utf8.count == 16)
        #expect(number.hexadecimal == number.hexadecimal.lowercased())
        #expect(UInt64(number.hexadecimal, radix: 16) == number)
    }
}
