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

export function addCreateConnection(connections: Command, cli: Cli): void {
  connections
    .command('create')
    .description("connect the organization's OpenID provider; the client secret is read from standard input")
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--issuer <url>', 'issuer, exactly as in the discovery document of the provider')
    .requiredOption('--client-id <id>', 'client id of Bearing at the provider')
    .option('--public-client', 'a public client, without a client secret')
    .option('--scope <scope...>', 'scopes (default: openid, email and profile)')
    .option('--just-in-time', 'add users with an email address in a verified domain as members at sign-in')
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
      cli.output.done('Connection created. Register its redirect URI at the provider.')
      printConnection(cli, created)
    })
}
