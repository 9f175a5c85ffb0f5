import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { readClientSecret } from './client-secret.js'
import { printConnection } from './print-connection.js'

interface Flags {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly publicClient?: true
  readonly scope?: string[]
  readonly justInTime?: true
}

/** `bearing sso connections create` */
export function addCreateConnection(connections: Command, cli: Cli): void {
  connections
    .command('create')
    .description("connect the organization's OpenID provider; the client secret is read from standard input")
    .requiredOption('--name <name>', 'what to call it')
    .requiredOption('--issuer <url>', 'issuer, exactly as in the discovery document of the provider')
    .requiredOption('--client-id <id>', 'what the provider knows Bearing by')
    .option('--public-client', 'there is no client secret')
    .option('--scope <scope...>', 'what to ask for; openid, email and profile unless given')
    .option('--just-in-time', 'who arrives with an address in a verified domain becomes a member')
    .action(async ({ name, issuer, clientId, publicClient, scope, justInTime }: Flags) => {
      const { client, organization } = await cli.session()
      const created = await client.call('createSsoConnection', {
        organization,
        name,
        issuer,
        client_id: clientId,
        ...(!publicClient && { client_secret: await readClientSecret(cli) }),
        ...(scope && { scopes: scope }),
        ...(justInTime && { just_in_time: true }),
      })
      cli.output.done('Connection made. Register its redirect URI at the provider.')
      printConnection(cli, created)
    })
}
