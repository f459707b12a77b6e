internal import JSON

/// Returns the JSON object with these members, in their order.
func jsonObject(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
    .object(members.map { JSONValue.Member(key: $0.key, value: $0.value) })
}
