import { relearnLayer } from '@bearing/contracts/location/access-points/learned'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { idFrom } from '../id-argument.js'
import { withOperator } from './with-operator.js'

export function addRebuildLayer(admin: Command, cli: Cli): void {
  admin
    .command('rebuild')
    .description(
      'rebuild learned access points and radio cells from the stored observations; for operators, over NATS',
    )
    .argument(
      '<organization id>',
      'id of the organization',
      idFrom('bearing organizations list', 'organization id'),
    )
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (organization_id: string, { natsUrl }: { natsUrl?: string }) => {
      const relearned = await withOperator(cli, natsUrl, (operator) =>
        operator.call(relearnLayer, { organization_id }),
      )
      cli.output.done('Rebuilt. Data from observations that are no longer stored was removed.')
      const { observations, access_points, cells } = relearned
      cli.output.record(
        {
          Observations: String(observations),
          'Access points': String(access_points),
          'Radio cells': String(cells),
        },
        relearned,
      )
    })
}
