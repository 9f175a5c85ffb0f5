import type { CallOutput } from '@bearing/client/call-types'
import type { BearingClient } from '@bearing/client/client'
import { ProblemError } from '@bearing/client/errors'
import { verb, callVerb } from '../session/verb.js'
import { type Cli, asCode } from '../session/cli.js'
import { futureMoment } from '../ground/times.js'
import { expiryIn } from '../tenancy/bound-projects.js'
import { type Cells } from '../ground/output/cells.js'

const KEY: Cells<CallOutput<'deleteUserKey'>> = {
  ...{ Id: 'id', Created: 'created_at', Expires: 'expires_at' },
  'Created with second factor': 'second_factor',
}

verb('user-key create', {
  about: 'create your API key, or replace the one you have; it is shown once',
  takes: {
    '--expires-at <time>': 'expiry: 2027-01-31 or 2027-01-31T09:00:00Z',
    '--expires-in <span>': { about: 'lifetime: 12h, 90d or 52w', conflicts: ['expiresAt'] },
    '--second-factor':
      'with your second factor: prompts for the account password and a code, or reads them from two lines of standard input',
    '-y, --yes': 'do not ask for confirmation; without a terminal it is not asked for',
  },
  help: `If you have a key, it is replaced and stops working immediately: "bearing user-key show" says whether you have one. On a
terminal the command asks first; without one, in a script, it does not.`,
  examples: ['--expires-in 90d'],
  run: async (cli, { expiresAt, expiresIn, secondFactor, yes }) => {
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
    cli.output.show(key, { 'User API key': 'api_key', ...KEY })
    cli.output.notice('The key is shown only once. Store it in a safe place.')
  },
})

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

callVerb('user-key show', {
  about: 'show whether you have an API key, and when it expires',
  call: 'showUserKey',
  show: { ...KEY, 'User API key': () => '(shown only when it was created)' },
})

callVerb('user-key delete', {
  about: 'delete your API key; it stops working immediately',
  question: 'Delete your API key? It stops working immediately.',
  call: 'deleteUserKey',
  done: 'User API key deleted.',
  show: { Id: 'id', Created: 'created_at' },
})
