import {
  forgetAccessPoint,
  forgetArea,
  forgetCell,
} from '@bearing/contracts/location/access-points/erase-stations'
import { verb } from '../session/verb.js'
import {
  PERMANENT,
  accessPointsToErase,
  printErased,
} from '../location/access-points/access-points-to-erase.js'
import { cellToErase } from '../location/cells/cell-to-erase.js'
import { addConfirmFlags, confirmTyped, type ConfirmFlags } from '../session/confirm-typed.js'
import { VARIABLES } from '../ground/environment.js'
import { UsageError } from '../ground/usage-error.js'
import { FLAGS } from '../ground/flags.js'
import { withOperator } from '../session/with-operator.js'

interface EraseFlags extends ConfirmFlags {
  readonly area?: string
  readonly cell?: string
  readonly natsUrl?: string
}

verb('admin erase', { examples: ['--area 48.1372,11.5755,150'] }, (command, cli) =>
  addConfirmFlags(command, 'what')
    .description(
      'erase access points or a radio cell of the base layer permanently; for operators, over NATS',
    )
    .argument('[mac]', 'MAC address of an access point, in any notation')
    .option('--area <lat,lon,radius>', 'access points of an area instead: degrees, and meters')
    .option('--cell <cell>', 'a radio cell instead: radio, mcc, mnc, area, cell')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .action(async (mac: string | undefined, { area, cell, natsUrl, ...flags }: EraseFlags) => {
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
    }),
)
