import { verb } from '../../session/verb.js'
import { LIMIT, required } from '../../ground/arguments.js'
import { count } from '../../ground/output/format.js'
import { UsageError } from '../../ground/usage-error.js'

verb('access-points list', {
  about: "list the organization's own access points in a box, 2,000 at most",
  takes: {
    ...LIMIT,
    '--bbox <west,south,east,north>': required(
      'the box, in degrees; west is more than east across the antimeridian',
    ),
  },
  examples: ['--bbox=11.4,48.1,11.7,48.2'],
  run: async (cli, { bbox, limit }) => {
    if (!/^[-+\d.]+(?:,[-+\d.]+){3}$/.test(bbox))
      throw new UsageError('--bbox must be west,south,east,north in degrees, such as 11.4,48.1,11.7,48.2.')
    const { client, organization } = await cli.session()
    const { data, complete } = await client.call('listAccessPoints', { organization, bbox })
    cli.output.table(
      data.slice(0, limit),
      {
        'MAC address': 'macAddress',
        Latitude: { right: ({ lat }) => lat.toFixed(6) },
        Longitude: { right: ({ lon }) => lon.toFixed(6) },
        Spread: { right: ({ spread }) => `${count(Math.round(spread))} m` },
        Observations: 'observations',
        From: ({ learned, declared, moving }) =>
          `${learned ? 'learned' : declared ? 'list' : 'import'}${moving ? ', moves' : ''}`,
        Changed: 'updated_at',
      },
      'No access points of your organization in this box. Import some: bearing access-points import <file>. How many it has: bearing access-points stats',
    )
    if (!complete)
      cli.output.notice('The box has more. Choose a smaller one, or use "bearing access-points export".')
  },
})
