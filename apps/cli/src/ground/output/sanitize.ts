/**
 * Characters that a terminal interprets: controls (C0, DEL, C1), line separators, and marks that change the direction of
 * text.
 */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Escapes characters that a terminal would interpret, such as `\u001b`. */
export function sanitize(text: string): string {
  return text.replace(UNSAFE, escape)
}

/** Formats a JSON document. Characters that a terminal would interpret are escaped. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNSAFE, (character) =>
    character === '\n' ? '\n' : escape(character),
  )
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
