// `pnpm calculate --devices 1000000 …`: what a fleet needs, without prices (docs/scaling.md).
import { readFleet } from './capacity/read-fleet.js'
import { capacityOf } from './capacity/capacity.js'
import { report } from './capacity/report.js'

try {
  const fleet = readFleet(process.argv.slice(2))
  process.stdout.write(`${report(fleet, capacityOf(fleet))}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
