import { randomBytes } from 'node:crypto'
import { reportPeppers } from '@bearing/contracts/identity/credentials/pepper'
import { addGroupHelp, verb } from '../../session/verb.js'
import { counted } from '../../ground/output/format.js'
import type { Cli } from '../../session/cli.js'
import { VARIABLES } from '../../ground/environment.js'
import { changeSecretSetting } from './secret-setting.js'
import { UsageError } from '../../ground/usage-error.js'
import { credentialsUnder } from '../doctor/run-doctor.js'
import { withOperator } from '../../session/with-operator.js'

const NAME = 'IDENTITY_PEPPERS'
const HELP = `Without --env-file the value of ${NAME} is read from standard input, and the new one written to standard output.

To rotate without a gap:
  1. peppers add          then deploy identity everywhere: the new pepper verifies, the old one still makes hashes
  2. peppers promote      then deploy identity: new credentials get the new pepper, and old ones move when they are used
  3. bearing admin doctor shows what is still under the old one: credentials that have not been used since
  4. peppers retire <id>  when nothing is; then deploy identity`

const ENV_FILE = { '--env-file <file>': `file that contains ${NAME}` } as const

addGroupHelp('admin peppers', `\n${HELP}`)

verb('admin peppers add', {
  about: 'add a pepper, which only verifies',
  takes: ENV_FILE,
  help: HELP,
  examples: ['--env-file identity.env'],
  run: async (cli, { envFile }) => {
    const { id } = await changeSecretSetting(cli, NAME, envFile, addPepper)
    cli.output.notice(
      `Pepper ${id} added. Deploy identity with the new value everywhere before you promote it.`,
    )
  },
})

verb('admin peppers promote', {
  about: 'use the newest pepper for new secrets',
  takes: ENV_FILE,
  help: HELP,
  examples: ['--env-file identity.env'],
  run: async (cli, { envFile }) => {
    const { id } = await changeSecretSetting(cli, NAME, envFile, promotePepper)
    cli.output.notice(`Pepper ${id} promoted. Deploy identity with the new value.`)
  },
})

verb('admin peppers retire', {
  about: 'remove a pepper that no credential needs',
  takes: {
    ...ENV_FILE,
    '<id>': 'id of the pepper, from "bearing admin doctor"',
    '--nats-url <url>': `URL of NATS, to check whether it is in use [${VARIABLES.natsUrl}]`,
    '--anyway': 'even if credentials use it: they can never be verified again',
  },
  help: HELP,
  examples: ['2026-01 --env-file identity.env'],
  run: async (cli, { id, ...flags }) => {
    if (!flags.anyway) await refuseWhileInUse(cli, id, flags.natsUrl)
    await changeSecretSetting(cli, NAME, flags.envFile, (value) => retirePepper(value, id))
    cli.output.notice(`Pepper ${id} removed. Deploy identity with the new value.`)
  },
})

/** @throws UsageError if a credential uses it */
async function refuseWhileInUse(cli: Cli, id: string, natsUrl: string | undefined): Promise<void> {
  const { peppers } = await withOperator(cli, natsUrl, (operator) => operator.call(reportPeppers, {}))
  const inUse = peppers.find((pepper) => pepper.id === id)
  const credentials = inUse ? credentialsUnder(inUse) : 0
  if (credentials > 0)
    throw new UsageError(
      `${counted(credentials, 'credential')} ${credentials === 1 ? 'uses' : 'use'} the pepper "${id}" and could not be verified without it.`,
      'Credentials move to the new pepper when they are used; recovery codes when they are replaced. Ask the owners to replace unused credentials, or give --anyway: requests with them then receive 503.',
    )
}

/** The changed peppers, and the affected one. */
interface ChangedPeppers {
  /** The new value of IDENTITY_PEPPERS. */
  readonly value: string
  readonly id: string
}

/** Adds a pepper at the end: it verifies, and new secrets do not use it yet. */
function addPepper(value: string): ChangedPeppers {
  const peppers = read(value)
  const numbers = peppers.map(({ id }) => Number(id)).filter(Number.isSafeInteger)
  const id = String(Math.max(0, ...numbers) + 1)
  return write([...peppers, { id, key: randomBytes(32).toString('base64') }], id)
}

/**
 * Moves the last pepper to the front, so that new secrets use it.
 *
 * @throws UsageError if there is only one
 */
function promotePepper(value: string): ChangedPeppers {
  const peppers = read(value)
  const last = peppers.at(-1)
  if (!last || peppers.length < 2)
    throw new UsageError('There is no new pepper to promote.', 'Add one first: peppers add.')
  return write([last, ...peppers.slice(0, -1)], last.id)
}

/**
 * Removes a pepper.
 *
 * @throws UsageError if it does not exist, or new secrets use it
 */
function retirePepper(value: string, id: string): ChangedPeppers {
  const peppers = read(value)
  if (!peppers.some((pepper) => pepper.id === id)) throw new UsageError(`The pepper "${id}" does not exist.`)
  if (peppers[0]?.id === id)
    throw new UsageError(
      `New secrets use the pepper "${id}".`,
      'Promote another pepper first: peppers promote.',
    )
  return write(
    peppers.filter((pepper) => pepper.id !== id),
    id,
  )
}

interface Pepper {
  readonly id: string
  /** Base 64. */
  readonly key: string
}

/** Messages must not contain the value: it is secret. */
function read(value: string): Pepper[] {
  return value.split(',').map((text) => {
    const [, id = '', key = ''] = /^\s*([^:\s]+):(\S+)\s*$/.exec(text) ?? []
    if (id === '')
      throw new UsageError('The value of IDENTITY_PEPPERS is invalid: it must be id:base64, comma separated.')
    return { id, key }
  })
}

function write(peppers: readonly Pepper[], id: string): ChangedPeppers {
  return { value: peppers.map((pepper) => `${pepper.id}:${pepper.key}`).join(','), id }
}
