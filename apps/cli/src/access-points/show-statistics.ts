import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, moment } from '../output/format.js'

export function addShowStatistics(accessPoints: Command, cli: Cli): void {
  accessPoints
    .command('stats')
    .description('show the number of access points')
    .action(async () => {
      const { client, organization } = await cli.session()
      const statistics = await client.call('showAccessPointStatistics', { organization })
      const layers = [
        { layer: 'your organization', ...statistics.organization },
        { layer: 'shared', ...statistics.shared },
      ]
      cli.output.table(
        layers,
        [
          ['Layer', ({ layer }) => layer],
          ['Access points', ({ access_points }) => count(access_points), 'right'],
          ['Observations', ({ observations }) => count(observations), 'right'],
          ['Last changed', ({ updated_at }) => moment(updated_at)],
        ],
        null,
        statistics,
      )
    })
}
