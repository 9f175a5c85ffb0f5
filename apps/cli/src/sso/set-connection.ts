import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { UsageError } from '../usage-error.js'
import { readClientSecret } from './client-secret.js'
import { printConnection } from './print-connection.js'

type Answer = 'yes' | 'no'

interface Flags {
  readonly name?: string
  readonly clientId?: string
  readonly newSecret?: true
  readonly justInTime?: Answer
  readonly enabled?: Answer
}

export function addSetConnection(connections: Command, cli: Cli): void {
  const answer = (flag: string, description: string) =>
    new Option(`${flag} <answer>`, description).choices(['yes', 'no'])
  connections
    .command('set')
    .description('change a single sign-on connection; reads the discovery document of the provider again')
    .argument('<id>', 'id of the connection', idFrom('bearing sso connections list'))
    .option('--name <name>', 'display name')
    .option('--client-id <id>', 'client id of Bearing at the provider')
    .option('--new-secret', 'read a new client secret from standard input')
    .addOption(
      answer('--just-in-time', 'add users with an email address in a verified domain as members at sign-in'),
    )
    .addOption(answer('--enabled', 'allow sign-in; "no" ends its sessions'))
    .action(async (connection_id: string, flags: Flags) => {
      const { name, clientId, newSecret, justInTime, enabled } = flags
      if (Object.keys(flags).length === 0)
        throw new UsageError('Nothing to change. See --help for the flags.')
      const { client, organization } = await cli.session()
      const changed = await client.call('changeSsoConnection', {
        organization,
        connection_id,
        ...(name !== undefined && { name }),
        ...(clientId !== undefined && { client_id: clientId }),
        ...(newSecret && { client_secret: await readClientSecret(cli) }),
        ...(justInTime && { just_in_time: justInTime === 'yes' }),
        ...(enabled && { enabled: enabled === 'yes' }),
      })
      cli.output.done('Connection changed.')
      printConnection(cli, changed)
    })
}
