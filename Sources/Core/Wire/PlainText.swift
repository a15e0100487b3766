/// What people type, made safe to sign, to compare and to show: names, titles, words.
///
/// Every rule here must give the same answer on every laptop for ever, so none of them depends on
/// the Unicode version of the running library: characters younger than Unicode 15.0 are refused,
/// and length is counted by general category, not by grapheme clusters, whose rules change.
package enum PlainText {
  /// Combining marks in a row beyond which a text is refused: no script needs as many.
  private static let marksInARow = 8

  /// The text as it is signed: each run of White_Space is one space, none at the ends; controls
  /// and invisible format characters are gone.
  ///
  /// Kept are U+200C and U+200D, which scripts and emoji need, and the tag characters of flags;
  /// the marks that turn the direction of writing go, so that no word reorders its neighbours.
  package static func cleaned(_ typed: String) -> String {
    var out = String.UnicodeScalarView()
    var gap = false
    for scalar in typed.unicodeScalars {
      if scalar.properties.isWhitespace {
        gap = !out.isEmpty
      } else if !isDropped(scalar) {
        if gap { out.append(" ") }
        gap = false
        out.append(scalar)
      }
    }
    return String(out)
  }

  /// Whether `cleaned` would give back exactly these bytes and every character is known.
  package static func isClean(_ text: String) -> Bool {
    cleaned(text).utf8.elementsEqual(text.utf8) && isKnown(text)
  }

  /// Whether every character is assigned in Unicode 15.0, public, and marks are not piled up.
  package static func isKnown(_ text: String) -> Bool {
    var marks = 0
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        marks = 0
        continue
      }
      guard let age = scalar.properties.age, (age.major, age.minor) <= (15, 0) else {
        return false
      }
      switch scalar.properties.generalCategory {
      case .unassigned, .privateUse, .surrogate: return false
      case .nonspacingMark, .spacingMark, .enclosingMark: marks += 1
      default: marks = 0
      }
      if marks > marksInARow { return false }
    }
    return true
  }

  /// How long people see it: code points that are neither marks (M) nor format characters (Cf).
  package static func length(_ text: String) -> Int {
    text.unicodeScalars.count { !isSilent($0) }
  }

  /// Whether it can be a player's name: clean, 2 to 24 long, at most 96 bytes (PRODUCT decision 9).
  package static func isName(_ text: String) -> Bool {
    text.utf8.count <= Limits.nameBytes && isClean(text) && (2...24).contains(length(text))
  }

  /// Whether it can be a table's title: clean, 1 to 40 long, at most 160 bytes.
  package static func isTitle(_ text: String) -> Bool {
    text.utf8.count <= Limits.titleBytes && isClean(text) && (1...40).contains(length(text))
  }

  /// For comparing as people do: no marks of format or variation, capitals as small letters.
  ///
  /// Each code point is put through the full upper-case and then the full lower-case mapping, so
  /// that "STRASSE" equals "Straße". The results are to be compared with `==`, which is canonical
  /// equivalence (UAX #15).
  package static func folded(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars where !isInvisible(scalar) {
      if scalar.isASCII {
        out.unicodeScalars.append(("A"..."Z").contains(scalar) ? lower(scalar) : scalar)
        continue
      }
      for upper in scalar.properties.uppercaseMapping.unicodeScalars {
        out += upper.properties.lowercaseMapping
      }
    }
    return out
  }

  private static func lower(_ capital: Unicode.Scalar) -> Unicode.Scalar {
    Unicode.Scalar(UInt8(ascii: capital) + 0x20)
  }

  /// Controls and format characters that no script needs.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
    return switch scalar.properties.generalCategory {
    case .control: true
    case .format:
      !(scalar.value == 0x200c || scalar.value == 0x200d
        || (0xe0020...0xe007f).contains(scalar.value))
    default: false
    }
  }

  private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format: true
    default: false
    }
  }

  /// Format characters and variation selectors: two texts that differ only in them look alike.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.isASCII
      && (scalar.properties.generalCategory == .format || scalar.properties.isVariationSelector)
  }
}
