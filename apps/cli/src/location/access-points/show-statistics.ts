import { verb } from '../../session/verb.js'

verb('access-points stats', {
  about: 'show the number of access points',
  run: async (cli) => {
    const { client, organization } = await cli.session()
    const statistics = await client.call('showAccessPointStatistics', { organization })
    const layers = [
      { layer: 'your organization', ...statistics.organization },
      { layer: 'shared', ...statistics.shared },
    ]
    cli.output.table(
      layers,
      {
        Layer: 'layer',
        'Access points': 'access_points',
        Observations: 'observations',
        'Last changed': 'updated_at',
      },
      null,
      statistics,
    )
  },
})
