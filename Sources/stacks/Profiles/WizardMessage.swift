internal import Text

/// The messages and questions of the dialogue that creates a profile. Values are in straight quotation marks, as in
/// JSON.
enum WizardMessage: String, MessageTable {
    case heading = "A profile for {path}: {records} at {names}."
    case headingOfSample = "A profile for {path}: {records} at {names}, {count} of them sampled."
    case keys = "Enter accepts; or type another path; - skips the field; ? lists the paths; q quits."
    case keysOfOwn = "Own fields. Enter accepts; - hides; q quits; or another kind: {names}."
    case notAKind = "  “{name}” is not a kind. Type one of those above."
    case fieldNotFound = "{name} not found"
    case nothingSaved = "Nothing saved."
    case noFieldHasPath = "No field has a path. Nothing saved."
    case askName = "Name of the profile [{name}]: "
    case nameInvalid = "  “{name}” is not a name. Use letters, digits, - and _."
    case askReplace = "{path} already exists. Replace it? [y/N] "
    case saved = "Saved as {path}."
    case useWith = "Use it with --profile {name}."
    case otherComesFirst = "Profile {name} also matches this catalog and comes first. Use --profile {name}."
    case usedFromNowOn = "stacks uses it for this catalog from now on."
    case mistake = "  {reason}."
    case malformedPath = "“{path}” is not a path; expected {kind} at character {number}"
    case scale = "scale needs the highest rating, a number above zero"
    case values = "values needs texts: values {example}"
    case optionDoesNotApply = "{name} does not apply to this field or value"
}
