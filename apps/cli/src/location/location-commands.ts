import type { Command } from 'commander'
import { addExportAccessPoints } from '../access-points/export-access-points.js'
import { addForgetAccessPoints } from '../access-points/forget-access-points.js'
import { addImportAccessPoints } from '../access-points/import-access-points.js'
import { addListAccessPoints } from '../access-points/list-access-points.js'
import { addListImports } from '../access-points/list-imports.js'
import { addShowStatistics } from '../access-points/show-statistics.js'
import { addExportCells } from '../cells/export-cells.js'
import { addForgetCells } from '../cells/forget-cells.js'
import { addImportCells } from '../cells/import-cells.js'
import type { Cli } from '../cli.js'
import { addLocate } from '../locate/locate.js'
import { addExportObservations } from '../observations/export-observations.js'
import { addSubmitObservations } from '../observations/submit-observations.js'
import { addDevicePositions } from './device-positions.js'
import { addEvaluateScans } from './evaluate-scans.js'
import { addLocationFallback } from './location-fallback.js'
import { addLocationSettings } from './location-settings.js'
import { addLatestPositions } from './latest-positions.js'
import { addShowCalibration } from './show-calibration.js'
import { addShowCoverage } from './show-coverage.js'

export function addLocationCommands(program: Command, cli: Cli): void {
  addLocate(program, cli)

  const accessPoints = program.command('access-points').description('Wi-Fi access points for location')
  addImportAccessPoints(accessPoints, cli)
  addListAccessPoints(accessPoints, cli)
  addListImports(accessPoints, cli)
  addExportAccessPoints(accessPoints, cli)
  addShowStatistics(accessPoints, cli)
  addForgetAccessPoints(accessPoints, cli)

  const cells = program.command('cells').description('radio cells for location')
  addImportCells(cells, cli)
  addExportCells(cells, cli)
  addForgetCells(cells, cli)

  const observations = program.command('observations').description('scans with known positions')
  addSubmitObservations(observations, cli)
  addExportObservations(observations, cli)

  addLatestPositions(
    program.command('positions').description('last positions of the devices of a project'),
    cli,
  )

  const location = program
    .command('location')
    .description('positions of devices, and settings and quality of location')
  addEvaluateScans(location, cli)
  addShowCalibration(location, cli)
  addShowCoverage(location, cli)
  addDevicePositions(location, cli)
  addLocationFallback(location, cli)
  addLocationSettings(location, cli)
}
