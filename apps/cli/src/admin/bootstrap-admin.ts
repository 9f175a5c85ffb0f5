import { bootstrapAdmin } from '@bearing/contracts/identity/people/user'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { UsageError } from '../ground/usage-error.js'
import type { Cli } from '../session/cli.js'
import { operatorVerb } from '../session/verb.js'

operatorVerb('admin bootstrap', {
  about: 'create the first user; for operators, over NATS',
  help: `The e-mail address is that of ${FLAGS.email} or ${VARIABLES.email}. The password is that of ${VARIABLES.password}, or is asked for,
or read from standard input; it is never an argument. It works once: where there is any user already, it is refused.`,
  examples: ['--email ada@example.com'],
  operation: bootstrapAdmin,
  input: async (_, cli) => {
    const email = emailOf(cli)
    const password = await passwordOf(cli)
    cli.secrets.add(password)
    return { email, password }
  },
  done: 'First user created.',
  show: { 'E-mail': 'email', Id: 'user_id' },
  after: printNextSteps,
})

function emailOf(cli: Cli): string {
  const email = cli.setting('email')
  if (!email)
    throw new UsageError(
      `The email address is missing. Give ${FLAGS.email} <address> or set ${VARIABLES.email}.`,
    )
  return email
}

/** A password in the arguments would be visible to other users, and stay in the shell's history. */
async function passwordOf(cli: Cli): Promise<string> {
  const { flags } = cli
  if (flags.password !== undefined && flags.password !== '-')
    throw new UsageError(
      'A new password cannot be an argument: other users of this machine can see arguments.',
      `Set ${VARIABLES.password}, or leave out ${FLAGS.password}: then the command prompts for it, or reads it from standard input.`,
    )
  const variable = cli.terminal.environment.settings.password
  if (flags.password === undefined && variable !== undefined) return variable
  // Typed twice, because bootstrap works only once.
  const [password = ''] = await cli.askSecrets([FLAGS.password], 'new')
  return password
}

function printNextSteps({ output }: Cli, { email }: { readonly email: string }): void {
  output.say(`Next, with ${VARIABLES.email}=${email} and the password in ${VARIABLES.password}:`)
  output.say('  bearing user-key create                 an API key, to use in place of the password')
  output.say('  bearing organizations create <name>     an organization, with you as its admin')
  output.say('  bearing projects create <name> --org …  a project, with the key for its devices')
}
