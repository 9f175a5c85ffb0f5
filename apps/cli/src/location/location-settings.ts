import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { counted } from '../ground/output/format.js'
import { wholeNumber } from '../ground/arguments.js'

interface Flags {
  readonly retentionDays?: number
}

verb('location settings show', {}, (command, cli) =>
  command.description('show the contribution settings of an organization').action(async () => {
    const { client, organization } = await cli.session()
    print(cli, await client.call('showLocationSettings', { organization }))
  }),
)

verb('location settings set', { examples: ['--retention-days 30'] }, (command, cli) =>
  command
    .description(
      'change the contribution settings of an organization, for admins; without flags it shows them',
    )
    .option(
      '--retention-days <days>',
      'retention of contributed scans in days: 0 to 3650',
      wholeNumber(0, 3_650),
    )
    .action(async ({ retentionDays }: Flags) => {
      const { client, organization } = await cli.session()
      const before = await client.call('showLocationSettings', { organization })
      if (retentionDays === undefined) {
        print(cli, before)
        return
      }
      const changed = await client.call('changeLocationSettings', {
        ...{ organization, ...before },
        observation_retention_days: retentionDays,
      })
      cli.output.done('Location settings changed.')
      print(cli, changed)
    }),
)

function print({ output }: Cli, settings: CallOutput<'showLocationSettings'>): void {
  output.record(
    {
      'Scans are kept for': counted(settings.observation_retention_days, 'day'),
    },
    settings,
  )
}
