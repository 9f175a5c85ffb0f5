import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { wholeNumber } from '../whole-number.js'

interface Flags {
  readonly store?: 'yes' | 'no'
  readonly retentionDays?: number
}

/** `bearing location positions policy` */
export function addPositionPolicy(positions: Command, cli: Cli): void {
  positions
    .command('policy')
    .description('show whether a project stores where its devices are, and for how long; or change it')
    .addOption(
      new Option('--store <answer>', 'whether positions asked for with a device are stored').choices([
        'yes',
        'no',
      ]),
    )
    .option('--retention-days <days>', 'for how many days they are kept: 1 to 3650', wholeNumber(1, 3_650))
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
          'Positions are stored': policy.store_positions ? 'yes' : 'no',
          'Kept for': counted(policy.retention_days, 'day'),
        },
        policy,
      )
    })
}
