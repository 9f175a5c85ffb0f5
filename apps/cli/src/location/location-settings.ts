import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { wholeNumber } from '../whole-number.js'

interface Flags {
  readonly retentionDays?: number
}

/** `bearing location settings show` and `set` */
export function addLocationSettings(location: Command, cli: Cli): void {
  const settings = location.command('settings').description('the contribution settings of an organization')
  settings
    .command('show')
    .description('show the contribution settings of an organization')
    .action(async () => {
      const { client, organization } = await cli.session()
      print(cli, await client.call('showLocationSettings', { organization }))
    })
  settings
    .command('set')
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
    })
}

function print({ output }: Cli, settings: CallOutput<'showLocationSettings'>): void {
  output.record(
    {
      'Scans are kept for': counted(settings.observation_retention_days, 'day'),
    },
    settings,
  )
}
