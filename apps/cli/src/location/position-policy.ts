import type { CallOutput } from '@bearing/client/call-types'
import { Option } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { counted } from '../ground/output/format.js'
import { wholeNumber } from '../ground/arguments.js'

interface Flags {
  readonly store?: 'yes' | 'no'
  readonly retentionDays?: number
}

verb('positions policy show', {}, (command, cli) =>
  command
    .description('show whether a project stores positions of devices, and for how long')
    .action(async () => {
      const { client, organization, project } = await cli.session()
      print(cli, await client.call('showPositionPolicy', { organization, project }))
    }),
)

verb('positions policy set', { examples: ['--store yes --retention-days 30'] }, (command, cli) =>
  command
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
    }),
)

function print({ output }: Cli, policy: CallOutput<'showPositionPolicy'>): void {
  output.record(
    {
      'Store positions': policy.store_positions ? 'yes' : 'no',
      'Kept for': counted(policy.retention_days, 'day'),
    },
    policy,
  )
}
