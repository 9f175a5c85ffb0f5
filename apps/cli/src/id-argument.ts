import { Id } from '@bearing/contracts/primitives'
import { UsageError } from './usage-error.js'

/**
 * Returns a parser of ids, so that a mistyped one is refused before anything is sent. The text is not repeated: it may be a
 * secret in the wrong place.
 *
 * @param command the command that shows the ids
 * @param argument the name of the argument
 */
export function idFrom(command: string, argument = 'id'): (text: string) => string {
  return (text) => {
    const id = Id.safeParse(text)
    if (id.success) return id.data
    throw new UsageError(`The argument <${argument}> is not an id.`, `"${command}" shows the ids.`)
  }
}
