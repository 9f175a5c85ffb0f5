/**
 * Returns a text from an environment variable, a file or standard input without what editors, `echo` and Windows add: a byte
 * order mark at its start, line breaks at its end. Spaces stay: a password may begin or end with them.
 */
export function withoutLineEnd(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/[\r\n]+$/, '')
}
