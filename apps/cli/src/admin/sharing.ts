import { approveSharing, listSharing, revokeSharing } from '@bearing/contracts/location/sharing'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { idFrom } from '../id-argument.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'
import { withOperator } from './with-operator.js'

interface AtNats {
  readonly natsUrl?: string
}

/** `bearing admin sharing list`, `approve` and `revoke` */
export function addSharing(admin: Command, cli: Cli): void {
  const sharing = admin
    .command('sharing')
    .description('organizations that contribute to the shared layer; for operators, over NATS')
  addLimit(atNats(sharing.command('list')))
    .description('list organizations that contribute or ask to contribute')
    .action(async ({ natsUrl, limit }: AtNats & LimitFlag) => {
      const { data } = await withOperator(cli, natsUrl, (operator) => operator.call(listSharing, {}))
      cli.output.table(
        data.slice(0, limit),
        [
          ['Organization', ({ organization_id }) => organization_id],
          ['Wants to share', ({ share_observations }) => (share_observations ? 'yes' : 'no')],
          ['Approved', ({ approved_at }) => moment(approved_at, 'no')],
        ],
        'No organization contributes or asks to.',
      )
    })
  atNats(sharing.command('approve'))
    .description('allow an organization to contribute')
    .argument(
      '<organization id>',
      'id of the organization',
      idFrom('bearing admin sharing list', 'organization id'),
    )
    .action(async (organization_id: string, { natsUrl }: AtNats) => {
      const approved = await withOperator(cli, natsUrl, (operator) =>
        operator.call(approveSharing, { organization_id }),
      )
      cli.output.done(
        approved.share_observations
          ? 'Approved. Its next observations are shared.'
          : 'Approved. The organization does not share yet: its admin must run "bearing location settings set --share yes".',
      )
    })
  atNats(sharing.command('revoke'))
    .description('stop an organization from contributing')
    .argument(
      '<organization id>',
      'id of the organization',
      idFrom('bearing admin sharing list', 'organization id'),
    )
    .action(async (organization_id: string, { natsUrl }: AtNats) => {
      await withOperator(cli, natsUrl, (operator) => operator.call(revokeSharing, { organization_id }))
      cli.output.done('Revoked. Run "bearing admin rebuild" to remove its earlier contributions.')
    })
}

function atNats(command: Command): Command {
  return command.option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
}
