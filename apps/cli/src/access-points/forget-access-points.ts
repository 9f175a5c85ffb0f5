import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { checkConfirmed, printForgotten, whatToForget } from './what-to-forget.js'

interface ForgetFlags {
  readonly area?: string
  readonly confirm?: string
}

/** `bearing access-points forget` */
export function addForgetAccessPoints(accessPoints: Command, cli: Cli): void {
  accessPoints
    .command('forget')
    .description('remove access points of your organization permanently')
    .argument('[mac]', 'MAC address of an access point, in any notation')
    .option('--area <lat,lon,radius>', 'access points of an area instead: degrees, and meters')
    .option('--confirm <area>', 'the area again, as confirmation; required for an area')
    .addHelpText(
      'after',
      `
Neither an import nor an observation brings them back, and it cannot be undone. They are gone from every process at once,
and from what was contributed and stored soon after. The shared access points are the operator's: "bearing admin forget".`,
    )
    .action(async (mac: string | undefined, { area, confirm }: ForgetFlags) => {
      const what = whatToForget(mac, area)
      checkConfirmed(area, confirm)
      const { client, organization } = await cli.session()
      printForgotten(
        cli,
        'macAddress' in what
          ? await client.call('forgetAccessPoint', { organization, ...what })
          : await client.call('forgetArea', { organization, ...what }),
      )
    })
}
