import { verb } from '../../session/verb.js'
import { confirmFlags, confirmTyped } from '../../session/confirm-typed.js'
import { PERMANENT, accessPointsToErase, printErased } from './access-points-to-erase.js'

verb('access-points erase', {
  about: 'remove access points of your organization permanently',
  takes: {
    ...confirmFlags('area'),
    '[mac]': 'MAC address of an access point, in any notation',
    '--area <lat,lon,radius>': 'access points of an area instead: degrees, and meters',
  },
  help: `Neither an import nor an observation brings them back, and it cannot be undone. Look-ups stop finding them immediately,
and contributed and stored data soon after. The base layer is the operator's: "bearing admin erase".`,
  examples: ['02:00:5e:00:00:1b', '--area 48.1372,11.5755,150'],
  run: async (cli, { mac, area, ...flags }) => {
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
  },
})
