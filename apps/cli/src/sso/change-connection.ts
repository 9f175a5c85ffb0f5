import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
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

/** `bearing sso connections change` */
export function addChangeConnection(connections: Command, cli: Cli): void {
  const answer = (flag: string, description: string) =>
    new Option(`${flag} <answer>`, description).choices(['yes', 'no'])
  connections
    .command('change')
    .description('change a single sign-on connection; the provider is asked again what it is')
    .argument('<id>', 'id of the connection')
    .option('--name <name>', 'what to call it')
    .option('--client-id <id>', 'what the provider knows Bearing by')
    .option('--new-secret', 'read a new client secret from standard input')
    .addOption(
      answer('--just-in-time', 'whether who arrives with an address in a verified domain becomes a member'),
    )
    .addOption(answer('--enabled', 'whether people can sign in through it; "no" ends its sessions'))
    .action(async (connection_id: string, flags: Flags) => {
      const { name, clientId, newSecret, justInTime, enabled } = flags
      if (Object.keys(flags).length === 0) throw new UsageError('Say what to change: see --help.')
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
