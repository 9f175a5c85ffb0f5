import type { CallOutput } from '@bearing/client/call-types'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { wholeNumber } from '../whole-number.js'

interface Flags {
  readonly share?: 'yes' | 'no'
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
    .command('set', { isDefault: true }) // the command was once "settings"
    .description(
      'change the contribution settings of an organization, for admins; without flags it shows them',
    )
    .addOption(
      new Option(
        '--share <answer>',
        'add future contributions to the layer shared by all organizations',
      ).choices(['yes', 'no']),
    )
    .option(
      '--retention-days <days>',
      'retention of contributed scans in days: 0 to 3650',
      wholeNumber(0, 3_650),
    )
    .action(async ({ share, retentionDays }: Flags) => {
      const { client, organization } = await cli.session()
      const before = await client.call('showLocationSettings', { organization })
      if (share === undefined && retentionDays === undefined) {
        print(cli, before)
        return
      }
      const changed = await client.call('changeLocationSettings', {
        ...{ organization, ...before },
        ...(share !== undefined && { share_observations: share === 'yes' }),
        ...(retentionDays !== undefined && { observation_retention_days: retentionDays }),
      })
      cli.output.done('Location settings changed.')
      print(cli, changed)
    })
}

function print({ output }: Cli, settings: CallOutput<'showLocationSettings'>): void {
  output.record(
    {
      'What is contributed is shared': settings.share_observations ? 'yes' : 'no',
      'Scans are kept for': counted(settings.observation_retention_days, 'day'),
    },
    settings,
  )
}
