import { CREDENTIAL_FIELDS, type GivenCredentials } from '../credential/select-credential.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'

/**
 * Returns a warning about credentials in the environment, which commands without `--context` use instead of a login. Names the
 * variables, never their values.
 *
 * @returns undefined if there are none
 */
export function warningOfPreceding(environment: GivenCredentials): string | undefined {
  const set = CREDENTIAL_FIELDS.filter((field) => environment[field] !== undefined).map(
    (field) => VARIABLES[field],
  )
  if (set.length === 0) return undefined
  return set.length === 1
    ? `${set.join('')} is set and takes precedence over this login: unset it, or give ${FLAGS.context}.`
    : `${set.slice(0, -1).join(', ')} and ${set.at(-1) ?? ''} are set and take precedence over this login: unset them, or give ${FLAGS.context}.`
}
