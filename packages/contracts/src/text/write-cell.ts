/** Characters with which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Returns a cell of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front, which
 * an import removes.
 *
 * @param isText whether it comes from people, not a number or time that Bearing has written
 */
export function writeCell(value: string, isText: boolean): string {
  const safe = isText && (FORMULA.test(value) || value.startsWith("'")) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
