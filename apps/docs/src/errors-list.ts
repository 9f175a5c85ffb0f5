import { ERROR_CODES, ERRORS } from '@bearing/contracts/errors'
import { code, table } from './markdown.js'

/** Returns the error codes, with links to their pages. */
export function errorsList(): string {
  const rows = ERROR_CODES.toSorted().map((name) => {
    const { status, title } = ERRORS[name]
    return [`[${code(name)}](${name}.md)`, String(status), title]
  })
  return table(['code', 'status', 'title'], rows)
}
