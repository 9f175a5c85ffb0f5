import { count } from '../ground/output/format.js'
import { verb } from '../session/verb.js'

verb('devices identity', {}, (command, cli) =>
  command
    .description('count the devices of the last 30 days that do not prove who they are')
    .action(async () => {
      const { client, organization, project } = await cli.session()
      const counts = await client.call('showDeviceIdentity', { organization, project })
      cli.output.record(
        {
          Seen: count(counts.seen),
          'With a key of their own': count(counts.proven),
          'With the project key alone': count(counts.without_proof),
        },
        counts,
      )
    }),
)
