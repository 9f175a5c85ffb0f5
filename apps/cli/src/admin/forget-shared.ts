import { forgetAccessPoint, forgetArea } from '@bearing/contracts/location/forgetting'
import type { Command } from 'commander'
import { printForgotten, whatToForget } from '../access-points/what-to-forget.js'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { withOperator } from './with-operator.js'

/** `bearing admin forget` */
export function addForgetShared(admin: Command, cli: Cli): void {
  admin
    .command('forget')
    .description('remove access points from the shared ones, for good; for operators, over NATS')
    .argument('[mac]', 'MAC address of one access point, in any notation')
    .option('--area <lat,lon,radius>', 'those of an area instead: degrees, and metres')
    .option(`${FLAGS.natsUrl} <url>`, `address of NATS [${VARIABLES.natsUrl}]`)
    .action(
      async (
        mac: string | undefined,
        { area, natsUrl }: { readonly area?: string; readonly natsUrl?: string },
      ) => {
        const what = whatToForget(mac, area)
        const shared = { organization_id: null }
        const forgotten = await withOperator(cli, natsUrl, (operator) =>
          'macAddress' in what
            ? operator.call(forgetAccessPoint, { ...shared, ...what })
            : operator.call(forgetArea, { ...shared, ...what }),
        )
        printForgotten(cli, forgotten)
      },
    )
}
