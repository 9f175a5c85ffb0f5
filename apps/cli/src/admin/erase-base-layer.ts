import {
  forgetAccessPoint,
  forgetArea,
  forgetCell,
} from '@bearing/contracts/location/access-points/erase-stations'
import { verb, NATS_URL } from '../session/verb.js'
import {
  PERMANENT,
  accessPointsToErase,
  printErased,
} from '../location/access-points/access-points-to-erase.js'
import { cellToErase } from '../location/cells/cell-to-erase.js'
import { confirmFlags, confirmTyped } from '../session/confirm-typed.js'
import { UsageError } from '../ground/usage-error.js'
import { withOperator } from '../session/with-operator.js'

verb('admin erase', {
  about: 'erase access points or a radio cell of the base layer permanently; for operators, over NATS',
  takes: {
    ...confirmFlags('what'),
    '[mac]': 'MAC address of an access point, in any notation',
    '--area <lat,lon,radius>': 'access points of an area instead: degrees, and meters',
    '--cell <cell>': 'a radio cell instead: radio, mcc, mnc, area, cell',
    ...NATS_URL,
  },
  examples: ['--area 48.1372,11.5755,150'],
  run: async (cli, { mac, area, cell, natsUrl, ...flags }) => {
    if (cell !== undefined && (mac ?? area) !== undefined)
      throw new UsageError('Give exactly one of a MAC address, --area and --cell.')
    const one = cell === undefined ? undefined : cellToErase(cell)
    const what = one ?? accessPointsToErase(mac, area)
    const named = area ?? cell
    if (named !== undefined) await confirmTyped(cli, named, PERMANENT, flags)
    else if (!flags.yes) await cli.confirm(`${PERMANENT} Erase it?`)
    const baseLayer = { organization_id: null }
    const erased = await withOperator(cli, natsUrl, (operator) =>
      'cellId' in what
        ? operator.call(forgetCell, { ...baseLayer, ...what })
        : 'macAddress' in what
          ? operator.call(forgetAccessPoint, { ...baseLayer, ...what })
          : operator.call(forgetArea, { ...baseLayer, ...what }),
    )
    printErased(cli, erased, one && 'radio cell')
  },
})
