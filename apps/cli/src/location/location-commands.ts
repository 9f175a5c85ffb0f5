import type { Command } from 'commander'
import { addExportAccessPoints } from '../access-points/export-access-points.js'
import { addForgetAccessPoints } from '../access-points/forget-access-points.js'
import { addImportAccessPoints } from '../access-points/import-access-points.js'
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
import { addShowCalibration } from './show-calibration.js'

/** Where devices are, and what that is found with. */
export function addLocationCommands(program: Command, cli: Cli): void {
  addLocate(program, cli)

  const accessPoints = program
    .command('access-points')
    .description('the access points that positions are found with')
  addImportAccessPoints(accessPoints, cli)
  addExportAccessPoints(accessPoints, cli)
  addShowStatistics(accessPoints, cli)
  addForgetAccessPoints(accessPoints, cli)

  const cells = program.command('cells').description('the radio cells that positions are found with')
  addImportCells(cells, cli)
  addExportCells(cells, cli)
  addForgetCells(cells, cli)

  const observations = program.command('observations').description('scans whose place is known')
  addSubmitObservations(observations, cli)
  addExportObservations(observations, cli)

  const location = program
    .command('location')
    .description('where devices are and were, and how good positions are')
  addEvaluateScans(location, cli)
  addShowCalibration(location, cli)
  addDevicePositions(location, cli)
  addLocationFallback(location, cli)
  addLocationSettings(location, cli)
}
