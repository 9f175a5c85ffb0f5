import type { CallOutput } from '@bearing/client/call-types'
import { Option } from 'commander'
import { ID, verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { addLimit, type LimitFlag, idFrom } from '../ground/arguments.js'
import { UsageError } from '../ground/usage-error.js'
import { readSecret } from '../session/read-secret.js'

verb('sso connections list', {}, (command, cli) =>
  addLimit(command)
    .description('list the single sign-on connections of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listSsoConnections', { organization }, { limit })
      cli.output.table(
        found,
        { Name: 'name', Issuer: 'issuer', Enabled: 'enabled', Id: 'id' },
        'No identity providers yet. Add one: bearing sso connections create',
      )
    }),
)

verb('sso connections show', { examples: [ID] }, (command, cli) =>
  command
    .description('show a single sign-on connection')
    .argument('<id>', 'id of the connection', idFrom('bearing sso connections list'))
    .action(async (connection_id: string) => {
      const { client, organization } = await cli.session()
      printConnection(cli, await client.call('showSsoConnection', { organization, connection_id }))
    }),
)

interface Flags {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly publicClient?: true
  readonly scope?: string[]
  readonly justInTime?: true
}

verb(
  'sso connections create',
  { examples: ['--name Okta --issuer https://acme.okta.com --client-id 0oa1b2c3'] },
  (command, cli) =>
    command
      .description(
        "connect the organization's OpenID provider; the client secret is read from standard input",
      )
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
      }),
)

type Answer = 'yes' | 'no'

interface SetConnectionFlags {
  readonly name?: string
  readonly clientId?: string
  readonly newSecret?: true
  readonly justInTime?: Answer
  readonly enabled?: Answer
}

const answer = (flag: string, description: string) =>
  new Option(`${flag} <answer>`, description).choices(['yes', 'no'])

verb('sso connections set', { examples: [`${ID} --enabled no`] }, (command, cli) =>
  command
    .description('change a single sign-on connection; reads the discovery document of the provider again')
    .argument('<id>', 'id of the connection', idFrom('bearing sso connections list'))
    .option('--name <name>', 'display name')
    .option('--client-id <id>', 'client id of Bearing at the provider')
    .option('--new-secret', 'read a new client secret from standard input')
    .addOption(
      answer('--just-in-time', 'add users with an email address in a verified domain as members at sign-in'),
    )
    .addOption(answer('--enabled', 'allow sign-in; "no" ends its sessions'))
    .action(async (connection_id: string, flags: SetConnectionFlags) => {
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
    }),
)

verb(
  'sso connections delete',
  { examples: [ID], question: 'Delete the connection? Its links and sessions end.' },
  (command, cli) =>
    command
      .description('delete a single sign-on connection, with its links and sessions')
      .argument('<id>', 'id of the connection', idFrom('bearing sso connections list'))
      .action(async (connection_id: string) => {
        const { client, organization } = await cli.session()
        await client.call('deleteSsoConnection', { organization, connection_id })
        cli.output.done('Connection deleted. Its sessions have ended.')
      }),
)

function printConnection({ output }: Cli, connection: CallOutput<'showSsoConnection'>): void {
  output.record(
    {
      Name: connection.name,
      Issuer: connection.issuer,
      'Client id': connection.client_id,
      'Client secret': connection.has_client_secret ? 'yes' : 'none: a public client',
      Scopes: connection.scopes.join(' '),
      'Just in time': connection.just_in_time ? 'yes' : 'no',
      Enabled: connection.enabled ? 'yes' : 'no',
      'Redirect URI': `<URL of the gateway>${connection.callback_path}`,
      'Sign in at': `<URL of the gateway>${connection.sign_in_path}`,
      Id: connection.id,
    },
    connection,
  )
}

/** Reads a client secret from standard input, because other users can see arguments. */
export async function readClientSecret(cli: Cli): Promise<string> {
  const secret = await readSecret(
    cli.takeStdin('the client secret'),
    (text) => {
      cli.output.prompt(text)
    },
    'the client secret',
  )
  cli.secrets.add(secret)
  return secret
}
