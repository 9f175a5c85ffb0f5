import { reportPeppers } from '@bearing/contracts/identity/pepper'
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

/** `bearing admin peppers` */
export function addRotatePeppers(admin: Command, cli: Cli): void {
  const peppers = admin
    .command('peppers')
    .description('rotate the keys that hashes of secrets are made with')
    .addHelpText('after', HELP)
  const step = (name: string, description: string) =>
    peppers
      .command(name)
      .description(description)
      .option('--env-file <file>', `the file that has ${NAME}`)
      .addHelpText('after', HELP)
  step('add', 'add a new pepper, which verifies and makes nothing yet').action(async ({ envFile }: Flags) => {
    const { id } = await changeSecretSetting(cli, NAME, envFile, addPepper)
    cli.output.notice(
      `Pepper ${id} added. Deploy identity with the new value, everywhere, before it is promoted.`,
    )
  })
  step('promote', 'let new secrets get the newest pepper').action(async ({ envFile }: Flags) => {
    const { id } = await changeSecretSetting(cli, NAME, envFile, promotePepper)
    cli.output.notice(`Pepper ${id} is for new secrets. Deploy identity with the new value.`)
  })
  step('retire', 'take a pepper away that no credential needs any more')
    .argument('<id>', 'its id, from "bearing admin doctor"')
    .option(`${FLAGS.natsUrl} <url>`, `address of NATS, to ask whether it is in use [${VARIABLES.natsUrl}]`)
    .option('--anyway', 'also where credentials are under it: those can never be checked again')
    .action(async (id: string, flags: Flags) => {
      if (!flags.anyway) await refuseWhileInUse(cli, id, flags.natsUrl)
      await changeSecretSetting(cli, NAME, flags.envFile, (value) => retirePepper(value, id))
      cli.output.notice(`Pepper ${id} taken away. Deploy identity with the new value.`)
    })
}

/** @throws UsageError where a credential is under it */
async function refuseWhileInUse(cli: Cli, id: string, natsUrl: string | undefined): Promise<void> {
  const { peppers } = await withOperator(cli, natsUrl, (operator) => operator.call(reportPeppers, {}))
  const inUse = peppers.find((pepper) => pepper.id === id)
  const credentials = inUse ? credentialsUnder(inUse) : 0
  if (credentials > 0)
    throw new UsageError(
      `${String(credentials)} credentials are under the pepper "${id}" and could not be checked without it.`,
      'They move when they are used; recovery codes when their user gets new ones. Have their owners replace those that nobody uses, or give --anyway: who comes with one then gets 503.',
    )
}
