import { bootstrapAdmin } from '@bearing/contracts/identity/people/user'
import type { Command } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { readSecret } from '../session/read-secret.js'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS, type GlobalFlags } from '../ground/flags.js'
import { UsageError } from '../ground/usage-error.js'
import { withOperator } from '../session/with-operator.js'

verb('admin bootstrap', { examples: ['--email ada@example.com'] }, (command, cli) =>
  command
    .description('create the first user; for operators, over NATS')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .addHelpText(
      'after',
      `
The e-mail address is that of ${FLAGS.email} or ${VARIABLES.email}. The password is that of ${VARIABLES.password}, or is asked for,
or read from standard input; it is never an argument. It works once: where there is any user already, it is refused.`,
    )
    .action(async ({ natsUrl }: { natsUrl?: string }, command) => {
      const flags = (command as Command).optsWithGlobals<GlobalFlags>()
      const email = emailOf(cli, flags)
      const password = await passwordOf(cli, flags)
      cli.secrets.add(password)
      const created = await withOperator(cli, natsUrl, (operator) =>
        operator.call(bootstrapAdmin, { email, password }),
      )
      cli.output.done('First user created.')
      cli.output.record({ 'E-mail': created.email, Id: created.user_id }, created)
      printNextSteps(cli, created.email)
    }),
)

function emailOf({ terminal }: Cli, flags: GlobalFlags): string {
  const email = flags.email ?? terminal.environment.settings.email
  if (!email)
    throw new UsageError(
      `The email address is missing. Give ${FLAGS.email} <address> or set ${VARIABLES.email}.`,
    )
  return email
}

/** A password in the arguments would be visible to other users, and stay in the shell's history. */
async function passwordOf(cli: Cli, flags: GlobalFlags): Promise<string> {
  if (flags.password !== undefined && flags.password !== '-')
    throw new UsageError(
      'A new password cannot be an argument: other users of this machine can see arguments.',
      `Set ${VARIABLES.password}, or leave out ${FLAGS.password}: then the command prompts for it, or reads it from standard input.`,
    )
  const variable = cli.terminal.environment.settings.password
  if (flags.password === undefined && variable !== undefined) return variable
  const stdin = cli.takeStdin('the password')
  const ask = (flag: string) =>
    readSecret(
      stdin,
      (text) => {
        cli.output.prompt(text)
      },
      flag,
    )
  const password = await ask(FLAGS.password)
  // Typed twice, because bootstrap works only once.
  if (stdin.isTTY && (await ask(`${FLAGS.password}, again`)) !== password)
    throw new UsageError('The two passwords are not the same.')
  return password
}

function printNextSteps({ output }: Cli, email: string): void {
  output.say(`Next, with ${VARIABLES.email}=${email} and the password in ${VARIABLES.password}:`)
  output.say('  bearing user-key create                 an API key, to use in place of the password')
  output.say('  bearing organizations create <name>     an organization, with you as its admin')
  output.say('  bearing projects create <name> --org …  a project, with the key for its devices')
}
