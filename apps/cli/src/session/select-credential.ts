import type { ClientCredential, LoginCredential } from '@bearing/client/client-options'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { UsageError } from '../ground/usage-error.js'

/** The credentials from one source: flags or environment. */
export interface GivenCredentials {
  readonly orgToken?: string | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
  readonly projectKey?: string | undefined
}

/** A credential and where it came from, for messages. */
export interface SelectedCredential {
  readonly credential: ClientCredential | LoginCredential
  /** For messages, without the value: `the organization token from BEARING_ORG_TOKEN`. */
  readonly description: string
}

type Field = keyof GivenCredentials
/** Kinds of credentials of the command line; browser sessions and deprecated kinds are not among them. */
type Kind = typeof ORGANIZATION_TOKEN | 'user' | 'project_key'

const KINDS: readonly (readonly [Kind, readonly Field[]])[] = [
  [ORGANIZATION_TOKEN, ['orgToken']],
  ['user', ['email', 'password']],
  ['project_key', ['projectKey']],
]

/** The settings that contain a credential, or a part of one. */
export const CREDENTIAL_FIELDS = KINDS.flatMap(([, fields]) => fields)

/**
 * Selects the one credential to use. A credential given by flag hides those of other kinds in the environment; of the
 * same kind, flag and environment complete each other (`--email` with `BEARING_PASSWORD`).
 *
 * @throws UsageError if there is none, half of one, or two kinds from the same source
 */
export function selectCredential(flags: GivenCredentials, environment: GivenCredentials): SelectedCredential {
  const byFlag = givenKinds(flags)
  const candidates = byFlag.length > 0 ? byFlag : givenKinds(environment)
  if (candidates.length > 1) throw twoKinds(candidates, byFlag.length > 0 ? FLAGS : VARIABLES)
  const kind = candidates[0]?.kind
  const pick = (field: Field) => pickField(field, flags, environment)
  switch (kind) {
    case ORGANIZATION_TOKEN: {
      const { value, from } = pick('orgToken')
      return { credential: { kind, token: value }, description: `the organization token from ${from}` }
    }
    case 'user': {
      const email = pick('email')
      const password = pick('password')
      return {
        credential: { kind, email: email.value, secret: password.value },
        description: `the email address from ${email.from} with the user API key or password from ${password.from}`,
      }
    }
    case 'project_key': {
      const { value, from } = pick('projectKey')
      return { credential: { kind, key: value }, description: `the project key from ${from}` }
    }
    case undefined:
      throw new UsageError(
        'No credential was given.',
        `"bearing login" signs in with the browser. For programs, set ${VARIABLES.orgToken}, or ${VARIABLES.email} and ${VARIABLES.password}, or ${VARIABLES.projectKey}. There are flags too, but other users of this machine can see them; "${FLAGS.orgToken} -" reads the secret from standard input.`,
      )
  }
}

/** Returns whether a source contains a credential, or a part of one. */
export function isCredentialGiven(source: GivenCredentials): boolean {
  return givenKinds(source).length > 0
}

interface GivenKind {
  readonly kind: Kind
  /** The field that identifies the kind. */
  readonly field: Field
}

function givenKinds(given: GivenCredentials): GivenKind[] {
  return KINDS.flatMap(([kind, fields]) => {
    const field = fields.find((candidate) => given[candidate] !== undefined)
    return field ? [{ kind, field }] : []
  })
}

function twoKinds(kinds: readonly GivenKind[], names: Readonly<Record<Field, string>>): UsageError {
  const given = kinds.map(({ field }) => names[field])
  const listed = `${given.slice(0, -1).join(', ')} and ${given.at(-1) ?? ''}`
  return new UsageError(
    `${listed} are credentials of different kinds; exactly one is needed.`,
    names === VARIABLES
      ? 'Unset all but one, or choose by giving one as a flag: a flag hides other kinds in the environment.'
      : 'Give only one of them.',
  )
}

function pickField(field: Field, flags: GivenCredentials, environment: GivenCredentials) {
  const flag = flags[field]
  if (flag === '') throw new UsageError(`${FLAGS[field]} is empty.`)
  if (flag !== undefined) return { value: flag, from: FLAGS[field] }
  const variable = environment[field]
  if (variable !== undefined) return { value: variable, from: VARIABLES[field] }
  const other = field === 'email' ? 'password' : 'email'
  throw new UsageError(
    `${FLAGS[other]} needs ${FLAGS[field]}, which is missing.`,
    `Set ${VARIABLES[field]}${field === 'password' ? ` to a user API key, or give "${FLAGS.password} -" to read it from standard input` : ` or give ${FLAGS[field]}`}.`,
  )
}

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
