import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { wholeNumber } from '../whole-number.js'

interface Flags {
  readonly share?: 'yes' | 'no'
  readonly retentionDays?: number
}

export function addLocationSettings(location: Command, cli: Cli): void {
  location
    .command('settings')
    .description('show the contribution settings of an organization; or change them, for admins')
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
      let settings = await client.call('showLocationSettings', { organization })
      if (share !== undefined || retentionDays !== undefined) {
        settings = await client.call('changeLocationSettings', {
          organization,
          ...settings,
          ...(share !== undefined && { share_observations: share === 'yes' }),
          ...(retentionDays !== undefined && { observation_retention_days: retentionDays }),
        })
        cli.output.done('Location settings changed.')
      }
      cli.output.record(
        {
          'What is contributed is shared': settings.share_observations ? 'yes' : 'no',
          'Scans are kept for': counted(settings.observation_retention_days, 'day'),
        },
        settings,
      )
    })
}
