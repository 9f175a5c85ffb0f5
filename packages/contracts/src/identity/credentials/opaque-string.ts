/** Characters that RFC 8264 disallows although their category is allowed: exceptions, and old Hangul. */
const EXCEPTIONS = String.raw`\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb`
/** Marks that join consonants (viramas), after which joiners have a meaning (RFC 5892, A.1 and A.2). */
const VIRAMA = `(?:${[
  0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d3b, 0x0d3c, 0x0d4d, 0x0dca, 0x0e3a,
  0x0eba, 0x0f84, 0x1039, 0x103a, 0x1714, 0x17d2, 0x1a60, 0x1b44, 0x1baa, 0x1bf2, 0x1bf3, 0xa806, 0xa8c4,
  0xa953, 0xa9c0, 0xaaf6, 0xabed,
]
  .map((code) => String.fromCharCode(code))
  .join('|')})`
/** Letters of scripts whose letters join, between which U+200C keeps two apart. */
const JOINING = String.raw`[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}]`
const FREEFORM = new RegExp(
  String.raw`^(?:(?![\p{Default_Ignorable_Code_Point}${EXCEPTIONS}])[ \p{L}\p{M}\p{N}\p{P}\p{S}]` +
    String.raw`|(?<=${VIRAMA})[\u200c\u200d]|(?<=${JOINING}\p{M}*)\u200c(?=\p{M}*${JOINING}))*$`,
  'u',
)
/** Characters that need others around them (RFC 5892, A.3 to A.9). Each matches where they are missing. */
const OUT_OF_CONTEXT: readonly RegExp[] = [
  /(?<!l)\u00b7|\u00b7(?!l)/u,
  /\u0375(?!\p{Script=Greek})/u,
  /(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u,
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30fb[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u,
  /[\u0660-\u0669].*[\u06f0-\u06f9]|[\u06f0-\u06f9].*[\u0660-\u0669]/u,
]

/** Returns a password as OpaqueString of RFC 8265 maps it: one kind of space, and composed characters (NFC). */
export function mapOpaque(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC')
}

/** Returns whether OpaqueString of RFC 8265 allows a text: what it does not allow cannot be typed or sent everywhere. */
export function isOpaqueString(text: string): boolean {
  const mapped = mapOpaque(text)
  return mapped !== '' && FREEFORM.test(mapped) && !OUT_OF_CONTEXT.some((missing) => missing.test(mapped))
}
