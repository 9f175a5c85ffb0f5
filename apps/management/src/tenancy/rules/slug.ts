/** Length of the longest slug in characters (contracts: Slug). */
const MAX_LENGTH = 64
/** Letters that Unicode does not take apart into a Latin letter and a mark. */
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
/** Numbers that are tried when a slug is taken: -2 to -50. After them comes a random ending. */
const LAST_NUMBER = 50

/**
 * Makes a slug from a name: "Café  Möller & Co." becomes "cafe-moller-co".
 *
 * @returns undefined where nothing of the name can stand in a slug
 */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\0-\x7f]/g, (letter) => LETTERS[letter] ?? letter)
    // An apostrophe does not part a word: "Ann's" is "anns".
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trim(slug) || undefined
}

/** A slug with an ending, cut so that both fit. */
export function slugWithEnding(slug: string, ending: string): string {
  return `${trim(slug, MAX_LENGTH - ending.length - 1)}-${ending}`
}

/** The slugs to try, in this order: the slug itself, then with -2, -3 and so on. */
export function slugCandidates(slug: string): string[] {
  const numbers = Array.from({ length: LAST_NUMBER - 1 }, (_, index) => String(index + 2))
  return [slug, ...numbers.map((number) => slugWithEnding(slug, number))]
}

function trim(slug: string, length = MAX_LENGTH): string {
  return slug.replace(/^-+/, '').slice(0, length).replace(/-+$/, '')
}
