import { verb } from '../../session/verb.js'
import { addConfirmFlags, confirmTyped, type ConfirmFlags } from '../../session/confirm-typed.js'
import { PERMANENT, accessPointsToErase, printErased } from './access-points-to-erase.js'

interface EraseFlags extends ConfirmFlags {
  readonly area?: string
}

verb(
  'access-points erase',
  { examples: ['02:00:5e:00:00:1b', '--area 48.1372,11.5755,150'] },
  (command, cli) =>
    addConfirmFlags(command, 'area')
      .description('remove access points of your organization permanently')
      .argument('[mac]', 'MAC address of an access point, in any notation')
      .option('--area <lat,lon,radius>', 'access points of an area instead: degrees, and meters')
      .addHelpText(
        'after',
        `
Neither an import nor an observation brings them back, and it cannot be undone. Look-ups stop finding them immediately,
and contributed and stored data soon after. The base layer is the operator's: "bearing admin erase".`,
      )
      .action(async (mac: string | undefined, { area, ...flags }: EraseFlags) => {
        const what = accessPointsToErase(mac, area)
        if (area !== undefined) await confirmTyped(cli, area, PERMANENT, flags)
        else if (!flags.yes) await cli.confirm(`${PERMANENT} Erase it?`)
        const { client, organization } = await cli.session()
        printErased(
          cli,
          'macAddress' in what
            ? await client.call('forgetAccessPoint', { organization, ...what })
            : await client.call('forgetArea', { organization, ...what }),
        )
      }),
)
