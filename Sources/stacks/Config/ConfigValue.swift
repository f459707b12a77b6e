/// A value of a config file.
enum ConfigValue: Equatable {
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([ConfigValue])
    case table([ConfigEntry])
    case fraction
    case date

    /// The type of the value with its article, for messages.
    var kind: String {
        switch self {
        case .text: "a string"
        case .integer: "a whole number"
        case .flag: "true or false"
        case .list: "a list"
        case .table: "a table"
        case .fraction: "a number with a point"
        case .date: "a date or a time"
        }
    }
}

/// A key of a config file with its value.
struct ConfigEntry: Equatable {
    /// The key.
    var name: String
    /// The line of the key, counted from 1.
    var line: Int
    /// The column of the key in characters, counted from 1.
    var column: Int
    /// The value.
    var value: ConfigValue
}
