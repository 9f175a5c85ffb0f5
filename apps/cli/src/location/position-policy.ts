import type { CallOutput } from '@bearing/client/call-types'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { counted } from '../output/format.js'
import { wholeNumber } from '../whole-number.js'

interface Flags {
  readonly store?: 'yes' | 'no'
  readonly retentionDays?: number
}

/** `bearing positions policy show` and `set` */
export function addPositionPolicy(positions: Command, cli: Cli): void {
  const policy = positions
    .command('policy')
    .description('whether a project stores positions of devices, and for how long')
  policy
    .command('show')
    .description('show whether a project stores positions of devices, and for how long')
    .action(async () => {
      const { client, organization, project } = await cli.session()
      print(cli, await client.call('showPositionPolicy', { organization, project }))
    })
  policy
    .command('set')
    .description(
      'change whether a project stores positions of devices, and for how long; without flags it shows that',
    )
    .addOption(
      new Option('--store <answer>', 'store positions of requests that name a device').choices(['yes', 'no']),
    )
    .option('--retention-days <days>', 'retention in days: 1 to 3650', wholeNumber(1, 3_650))
    .action(async ({ store, retentionDays }: Flags) => {
      const { client, organization, project } = await cli.session()
      const before = await client.call('showPositionPolicy', { organization, project })
      if (store === undefined && retentionDays === undefined) {
        print(cli, before)
        return
      }
      const changed = await client.call('changePositionPolicy', {
        ...{ organization, project, ...before },
        ...(store !== undefined && { store_positions: store === 'yes' }),
        ...(retentionDays !== undefined && { retention_days: retentionDays }),
      })
      cli.output.done('Position policy changed.')
      print(cli, changed)
    })
}

function print({ output }: Cli, policy: CallOutput<'showPositionPolicy'>): void {
  output.record(
    {
      'Store positions': policy.store_positions ? 'yes' : 'no',
      'Kept for': counted(policy.retention_days, 'day'),
    },
    policy,
  )
}
