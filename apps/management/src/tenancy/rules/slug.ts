/** Length of the longest slug in characters (contracts: Slug). */
const MAX_LENGTH = 64
/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
}
/** A taken slug is retried with -2 to -50, then with a random suffix. */
const LAST_NUMBER = 50

/**
 * Derives a slug from a name: "Café  Möller & Co." becomes "cafe-moller-co".
 *
 * @returns undefined if the name has no usable character
 */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\0-\x7f]/g, (letter) => LETTERS[letter] ?? letter)
    // "Ann's" becomes "anns".
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trim(slug) || undefined
}

/** Appends a suffix to a slug, shortened so that both fit. */
export function slugWithSuffix(slug: string, suffix: string): string {
  return `${trim(slug, MAX_LENGTH - suffix.length - 1)}-${suffix}`
}

/** Returns the slugs to try, in order: the slug itself, then with -2, -3 and so on. */
export function slugCandidates(slug: string): string[] {
  const numbers = Array.from({ length: LAST_NUMBER - 1 }, (_, index) => String(index + 2))
  return [slug, ...numbers.map((number) => slugWithSuffix(slug, number))]
}

function trim(slug: string, length = MAX_LENGTH): string {
  return slug.replace(/^-+/, '').slice(0, length).replace(/-+$/, '')
}
