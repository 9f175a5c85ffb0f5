import { ERROR_CODES, ERRORS } from '@bearing/contracts/errors'
import { code, GENERATED, table } from './markdown.js'

/** Returns the index of the pages of error codes. */
export function errorsPage(): string {
  const rows = ERROR_CODES.toSorted().map((name) => {
    const { status, title } = ERRORS[name]
    return [`[${code(name)}](${name}.md)`, String(status), title]
  })
  return `# Errors

${GENERATED}

Every error of the API has a code, and every code has a page: how it comes about, what to do, an example.

${table(['code', 'status', 'title'], rows)}
`
}
