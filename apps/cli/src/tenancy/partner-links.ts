import { ID, verb } from '../session/verb.js'
import { idFrom, addLimit, type LimitFlag } from '../ground/arguments.js'
import { findProjectIds } from './find-project-ids.js'

verb('sso partner-links list', {}, (command, cli) =>
  addLimit(command)
    .description('list the requests of partner teams to be linked with an organization; for admins')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const asked = await client.listAll('listPartnerLinks', { organization }, { limit })
      cli.output.table(
        asked,
        {
          Team: 'team_name',
          Partner: 'partner',
          'Asked by': 'requested_by',
          'Asked at': 'requested_at',
          Id: 'id',
        },
        'No team asks to be linked.',
      )
    }),
)

verb('sso partner-links confirm', { examples: [ID] }, (command, cli) =>
  command
    .description(
      'link a team with an organization: its users become members when they sign in, the requester first, and with --project members of that project too',
    )
    .argument(
      '<id>',
      'id of the request, from "bearing sso partner-links list"',
      idFrom('bearing sso partner-links list'),
    )
    .action(async (partner_link_id: string) => {
      const session = await cli.session()
      const { client, organization } = session
      const [join_project_id] = await findProjectIds(session, cli.projectFlags.slice(0, 1))
      const confirmed = await client.call('confirmPartnerLink', {
        organization,
        partner_link_id,
        ...(join_project_id !== undefined && { join_project_id }),
      })
      cli.output.done('Team linked. Its users become members when they sign in.')
      cli.output.record({}, confirmed)
    }),
)

verb('sso partner-links refuse', { examples: [ID] }, (command, cli) =>
  command
    .description('reject the request of a team')
    .argument(
      '<id>',
      'id of the request, from "bearing sso partner-links list"',
      idFrom('bearing sso partner-links list'),
    )
    .action(async (partner_link_id: string) => {
      const { client, organization } = await cli.session()
      const refused = await client.call('refusePartnerLink', { organization, partner_link_id })
      cli.output.done('Request rejected.')
      cli.output.record({}, refused)
    }),
)
