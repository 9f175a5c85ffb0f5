import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { addGroupHelp, verb } from '../../session/verb.js'
import { changeSecretSetting } from './secret-setting.js'
import { UsageError } from '../../ground/usage-error.js'

const NAME = 'IDENTITY_SIGNING_KEYS'
const HELP = `Without --env-file the value of ${NAME} is read from standard input, and the new one written to standard output.

To rotate without a gap:
  1. signing-keys add      then deploy identity: the new key is published, the old one still signs
  2. signing-keys promote  two minutes later, when every service knows the new key; then deploy identity
  3. signing-keys retire   two minutes later, when nothing that the old key has signed is valid; then deploy identity`

addGroupHelp('admin signing-keys', `\n${HELP}`)
step('add', 'add a key, which is published and does not sign yet', addSigningKey, 'added')
step('promote', 'sign with the newest key', promoteSigningKey, 'promoted')
step('retire', 'remove all keys except the signing key', retireSigningKeys, 'kept; the others were removed')

function step(name: string, description: string, change: (value: string) => ChangedKeys, done: string): void {
  verb(`admin signing-keys ${name}`, {
    about: description,
    takes: { '--env-file <file>': `file that contains ${NAME}` },
    help: HELP,
    examples: ['--env-file identity.env'],
    run: async (cli, { envFile }) => {
      const { id } = await changeSecretSetting(cli, NAME, envFile, change)
      cli.output.notice(`Signing key ${id} ${done}. Deploy identity with the new value.`)
    },
  })
}

const SigningKeysKeys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) })
type SigningKeysKeys = z.infer<typeof SigningKeysKeys>

/** The changed keys, and the affected one. */
interface ChangedKeys {
  /** The new value of IDENTITY_SIGNING_KEYS. */
  readonly value: string
  readonly id: string
}

/** Adds a key at the end: it is published, and does not sign yet. */
function addSigningKey(value: string): ChangedKeys {
  const { keys } = read(value)
  const { privateKey } = generateKeyPairSync('ed25519')
  const kid = randomBytes(6).toString('hex')
  return write([...keys, { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }], kid)
}

/**
 * Moves the last key to the front, so that it signs.
 *
 * @throws UsageError if there is only one
 */
function promoteSigningKey(value: string): ChangedKeys {
  const { keys } = read(value)
  const last = keys.at(-1)
  if (!last || keys.length < 2)
    throw new UsageError('There is no new key to promote.', 'Add one first: signing-keys add.')
  return write([last, ...keys.slice(0, -1)], last.kid)
}

/**
 * Removes all keys except the signing key.
 *
 * @throws UsageError if there is no other key
 */
function retireSigningKeys(value: string): ChangedKeys {
  const [first, ...rest] = read(value).keys
  if (!first || rest.length === 0) throw new UsageError('There is no old key to remove.')
  return write([first], rest.map(({ kid }) => kid).join(', '))
}

/** Messages must not contain the value: it is secret. */
function read(value: string): SigningKeysKeys {
  try {
    return SigningKeysKeys.parse(JSON.parse(value))
  } catch {
    throw new UsageError(
      'The value of IDENTITY_SIGNING_KEYS is invalid: it must be a JSON Web Key Set whose keys have a "kid".',
    )
  }
}

function write(keys: SigningKeysKeys['keys'], id: string): ChangedKeys {
  return { value: JSON.stringify({ keys }), id }
}
