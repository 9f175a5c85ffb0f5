import type { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import type { CallOutput } from '@bearing/client/call-types'
import { Option } from 'commander'
import { verb } from '../session/verb.js'
import { type Cli, asCode } from '../session/cli.js'
import { YES_ON_TERMINAL } from '../ground/arguments.js'
import { futureMoment } from '../ground/times.js'
import { expiryIn } from '../tenancy/bound-projects.js'
import { moment } from '../ground/output/format.js'

interface Flags {
  readonly expiresAt?: string
  readonly expiresIn?: string
  readonly secondFactor?: true
  readonly yes?: true
}

verb('user-key create', { examples: ['--expires-in 90d'] }, (command, cli) =>
  command
    .description('create your API key, or replace the one you have; it is shown once')
    .addOption(new Option('--expires-at <time>', 'expiry: 2027-01-31 or 2027-01-31T09:00:00Z'))
    .addOption(new Option('--expires-in <span>', 'lifetime: 12h, 90d or 52w').conflicts('expiresAt'))
    .option(
      '--second-factor',
      'with your second factor: prompts for the account password and a code, or reads them from two lines of standard input',
    )
    .option(...YES_ON_TERMINAL)
    .addHelpText(
      'after',
      `
If you have a key, it is replaced and stops working immediately: "bearing user-key show" says whether you have one. On a
terminal the command asks first; without one, in a script, it does not.`,
    )
    .action(async ({ expiresAt, expiresIn, secondFactor, yes }: Flags) => {
      const now = cli.terminal.now()
      const expires_at =
        expiresAt === undefined
          ? expiresIn && expiryIn(expiresIn, now)
          : futureMoment(expiresAt, '--expires-at', now)
      const { client } = await cli.session()
      if (!yes && cli.terminal.stdin.isTTY && (await hasKey(client)))
        await cli.confirm('Replace your API key? The present one stops working immediately.')
      const key = await client.call('cycleUserKey', { expires_at, ...(secondFactor && (await proof(cli))) })
      cli.output.done('User API key created. A previous key no longer works.')
      cli.output.record({ 'User API key': key.api_key, ...keyFields(key) }, key)
      cli.output.notice('The key is shown only once. Store it in a safe place.')
    }),
)

async function hasKey(client: BearingClient): Promise<boolean> {
  try {
    await client.call('showUserKey', {})
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'user_key_not_found') return false
    throw error
  }
}

async function proof(cli: Cli) {
  const [password = '', code = ''] = await cli.askSecrets(['the account password', 'the code'], 'known')
  return { password, ...asCode(code) }
}

verb('user-key show', {}, (command, cli) =>
  command.description('show whether you have an API key, and when it expires').action(async () => {
    const { client } = await cli.session()
    const key = await client.call('showUserKey', {})
    cli.output.record({ ...keyFields(key), 'User API key': '(shown only when it was created)' }, key)
  }),
)

/** Returns the printed fields of an API key. */
function keyFields(key: CallOutput<'deleteUserKey'>): Record<string, string> {
  return {
    Id: key.id,
    Created: moment(key.created_at),
    Expires: key.expires_at === null ? 'never' : moment(key.expires_at),
    'Created with second factor': key.second_factor ? 'yes' : 'no',
  }
}

verb('user-key delete', { question: 'Delete your API key? It stops working immediately.' }, (command, cli) =>
  command.description('delete your API key; it stops working immediately').action(async () => {
    const { client } = await cli.session()
    const key = await client.call('deleteUserKey', {})
    cli.output.done('User API key deleted.')
    cli.output.record({ Id: key.id, Created: moment(key.created_at) }, key)
  }),
)
