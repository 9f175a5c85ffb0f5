import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { checkConfirmed, printErased, accessPointsToErase } from './access-points-to-erase.js'

interface EraseFlags {
  readonly area?: string
  readonly confirm?: string
}

export function addEraseAccessPoints(accessPoints: Command, cli: Cli): void {
  accessPoints
    .command('erase')
    .alias('forget')
    .description('remove access points of your organization permanently')
    .argument('[mac]', 'MAC address of an access point, in any notation')
    .option('--area <lat,lon,radius>', 'access points of an area instead: degrees, and meters')
    .option('--confirm <area>', 'the area again, as confirmation; required for an area')
    .addHelpText(
      'after',
      `
Neither an import nor an observation brings them back, and it cannot be undone. Look-ups stop finding them immediately,
and contributed and stored data soon after. The shared access points are the operator's: "bearing admin erase".`,
    )
    .action(async (mac: string | undefined, { area, confirm }: EraseFlags) => {
      const what = accessPointsToErase(mac, area)
      checkConfirmed(area, confirm)
      const { client, organization } = await cli.session()
      printErased(
        cli,
        'macAddress' in what
          ? await client.call('forgetAccessPoint', { organization, ...what })
          : await client.call('forgetArea', { organization, ...what }),
      )
    })
}
