/** Names of files are anything: what SVG and HTML would read as markup, or not at all, is not written. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}

/** Returns the name of a file without its folders, in at most 48 characters. */
export function shortened(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? name
  return last.length > 48 ? `${last.slice(0, 47)}…` : last
}

/** 1, 2 or 5 times a power of ten: the least such step that makes at most six of a range. */
export function niceStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 6))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => most / step <= 6) ?? 10 * power
}

/** A number with one decimal. */
export function one(value: number): string {
  return value.toFixed(1)
}
