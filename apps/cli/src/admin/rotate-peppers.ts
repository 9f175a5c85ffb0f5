import { reportPeppers } from '@bearing/contracts/identity/credentials/pepper'
import { counted } from '../output/format.js'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { addPepper, promotePepper, retirePepper } from '../keys/peppers.js'
import { changeSecretSetting } from '../keys/secret-setting.js'
import { UsageError } from '../usage-error.js'
import { credentialsUnder } from './doctor/peppers.js'
import { withOperator } from './with-operator.js'

const NAME = 'IDENTITY_PEPPERS'
const HELP = `
Without --env-file the value of ${NAME} is read from standard input, and the new one written to standard output.

To rotate without a gap:
  1. peppers add          then deploy identity everywhere: the new pepper verifies, the old one still makes hashes
  2. peppers promote      then deploy identity: new credentials get the new pepper, and old ones move when they are used
  3. bearing admin doctor shows what is still under the old one: credentials that nobody has used since
  4. peppers retire <id>  when nothing is; then deploy identity`

interface Flags {
  readonly envFile?: string
  readonly natsUrl?: string
  readonly anyway?: true
}

export function addRotatePeppers(admin: Command, cli: Cli): void {
  const peppers = admin
    .command('peppers')
    .description('rotate the peppers of secret hashes')
    .addHelpText('after', HELP)
  const step = (name: string, description: string) =>
    peppers
      .command(name)
      .description(description)
      .option('--env-file <file>', `file that contains ${NAME}`)
      .addHelpText('after', HELP)
  step('add', 'add a pepper, which only verifies').action(async ({ envFile }: Flags) => {
    const { id } = await changeSecretSetting(cli, NAME, envFile, addPepper)
    cli.output.notice(
      `Pepper ${id} added. Deploy identity with the new value everywhere before you promote it.`,
    )
  })
  step('promote', 'use the newest pepper for new secrets').action(async ({ envFile }: Flags) => {
    const { id } = await changeSecretSetting(cli, NAME, envFile, promotePepper)
    cli.output.notice(`Pepper ${id} promoted. Deploy identity with the new value.`)
  })
  step('retire', 'remove a pepper that no credential needs')
    .argument('<id>', 'id of the pepper, from "bearing admin doctor"')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS, to check whether it is in use [${VARIABLES.natsUrl}]`)
    .option('--anyway', 'even if credentials use it: they can never be verified again')
    .action(async (id: string, flags: Flags) => {
      if (!flags.anyway) await refuseWhileInUse(cli, id, flags.natsUrl)
      await changeSecretSetting(cli, NAME, flags.envFile, (value) => retirePepper(value, id))
      cli.output.notice(`Pepper ${id} removed. Deploy identity with the new value.`)
    })
}

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
