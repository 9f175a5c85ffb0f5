import { verb } from '../../session/verb.js'
import { count, moment } from '../../ground/output/format.js'

verb('access-points stats', {}, (command, cli) =>
  command.description('show the number of access points').action(async () => {
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
  }),
)
