import {
  createPartnerConnection,
  deletePartnerConnection,
  listPartnerConnections,
} from '@bearing/contracts/identity/sso/partner'
import { ProjectRole } from '@bearing/contracts/principal'
import { Option, type Command } from 'commander'
import { ID, verb } from '../session/verb.js'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { idFrom, addLimit, type LimitFlag } from '../ground/arguments.js'
import { readClientSecret } from '../tenancy/sso-connections.js'
import { withOperator } from '../session/with-operator.js'

interface AtNats {
  readonly natsUrl?: string
}

interface Creation extends AtNats {
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly teamIdClaim: string
  readonly teamNameClaim: string
  readonly joinRole: string
}

verb('admin partner-connections list', {}, (command, cli) =>
  addLimit(atNats(command))
    .description('list all')
    .action(async ({ natsUrl, limit = 10_000 }: AtNats & LimitFlag) => {
      const { data } = await withOperator(cli, natsUrl, (operator) =>
        operator.call(listPartnerConnections, { per_page: Math.min(limit, 10_000) }),
      )
      cli.output.table(
        data,
        { Name: 'name', Issuer: 'issuer', Id: 'id' },
        'No partner connections yet. Create one: bearing admin partner-connections create',
      )
    }),
)

verb(
  'admin partner-connections delete',
  { examples: [ID], question: 'Delete the connection? Its sessions end.' },
  (command, cli) =>
    atNats(command)
      .description('delete a connection and its sessions; organizations and members remain')
      .argument('<id>', 'id of the connection', idFrom('bearing admin partner-connections list'))
      .action(async (connection_id: string, { natsUrl }: AtNats) => {
        await withOperator(cli, natsUrl, (operator) =>
          operator.call(deletePartnerConnection, { connection_id }),
        )
        cli.output.done('Connection deleted. Its sessions have ended.')
      }),
)

verb(
  'admin partner-connections create',
  {
    examples: [
      '--name Console --issuer https://id.partner.example --client-id bearing --team-id-claim team_id --team-name-claim team_name < secret.txt',
    ],
  },
  (command, cli) =>
    atNats(command)
      .description('connect a partner console; the client secret is read from standard input')
      .requiredOption('--name <name>', 'display name')
      .requiredOption('--issuer <url>', 'issuer, exactly as in the discovery document of the provider')
      .requiredOption('--client-id <id>', 'client id of Bearing at the provider')
      .requiredOption('--team-id-claim <claim>', "claim with the id of a user's team")
      .requiredOption('--team-name-claim <claim>', 'claim with the name of the team')
      .addOption(
        new Option('--join-role <role>', "role in the team's project that people get when they join")
          .choices(['reader', 'member', 'manager', 'none'])
          .default('member'),
      )
      .action(async ({ name, issuer, clientId, teamIdClaim, teamNameClaim, joinRole, natsUrl }: Creation) => {
        const client_secret = await readClientSecret(cli)
        const created = await withOperator(cli, natsUrl, (operator) =>
          operator.call(createPartnerConnection, {
            name,
            issuer,
            client_id: clientId,
            client_secret,
            team_id_claim: teamIdClaim,
            team_name_claim: teamNameClaim,
            join_role: joinRole === 'none' ? null : ProjectRole.parse(joinRole),
          }),
        )
        cli.output.done('Connection created. Register its redirect URI at the partner.')
        cli.output.record(
          {
            Name: created.name,
            'Redirect URI': `<URL of the gateway>${created.callback_path}`,
            'Sign in at': `<URL of the gateway>${created.sign_in_path}`,
            Id: created.id,
          },
          created,
        )
      }),
)

function atNats(command: Command): Command {
  return command.option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
}
