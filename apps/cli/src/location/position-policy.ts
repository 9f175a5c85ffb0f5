import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { wholeNumber } from '../whole-number.js'

interface Flags {
  readonly store?: 'yes' | 'no'
  readonly retentionDays?: number
}

export function addPositionPolicy(positions: Command, cli: Cli): void {
  positions
    .command('policy')
    .description('show or change whether a project stores positions of devices, and for how long')
    .addOption(
      new Option('--store <answer>', 'store positions of requests that name a device').choices(['yes', 'no']),
    )
    .option('--retention-days <days>', 'retention in days: 1 to 3650', wholeNumber(1, 3_650))
    .action(async ({ store, retentionDays }: Flags) => {
      const { client, organization, project } = await cli.session()
      const address = { organization, project }
      let policy = await client.call('showPositionPolicy', address)
      if (store !== undefined || retentionDays !== undefined) {
        policy = await client.call('changePositionPolicy', {
          ...address,
          ...policy,
          ...(store !== undefined && { store_positions: store === 'yes' }),
          ...(retentionDays !== undefined && { retention_days: retentionDays }),
        })
        cli.output.done('Position policy changed.')
      }
      cli.output.record(
        {
          'Store positions': policy.store_positions ? 'yes' : 'no',
          'Kept for': counted(policy.retention_days, 'day'),
        },
        policy,
      )
    })
}
