internal import Shelves

extension Library {
    /// Today, as it enters the user data.
    public var today: CalendarDay { CalendarDay(userData.today) ?? CalendarDay(number: 0) }
}
