import type { Command } from 'commander'
import { addExportAccessPoints } from '../access-points/export-access-points.js'
import { addEraseAccessPoints } from '../access-points/erase-access-points.js'
import { addImportAccessPoints } from '../access-points/import-access-points.js'
import { addListAccessPoints } from '../access-points/list-access-points.js'
import { addListImports } from '../access-points/list-imports.js'
import { addShowStatistics } from '../access-points/show-statistics.js'
import { addExportCells } from '../cells/export-cells.js'
import { addEraseCells } from '../cells/erase-cells.js'
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
import { addShowCoverage } from './show-coverage.js'

export function addLocationCommands(program: Command, cli: Cli): void {
  addLocate(program, cli)

  const accessPoints = program.command('access-points').description('Wi-Fi access points for location')
  addImportAccessPoints(accessPoints, cli)
  addListAccessPoints(accessPoints, cli)
  addListImports(accessPoints, cli)
  addExportAccessPoints(accessPoints, cli)
  addShowStatistics(accessPoints, cli)
  addEraseAccessPoints(accessPoints, cli)

  const cells = program.command('cells').description('radio cells for location')
  addImportCells(cells, cli)
  addExportCells(cells, cli)
  addEraseCells(cells, cli)

  const observations = program.command('observations').description('scans with known positions')
  addSubmitObservations(observations, cli)
  addExportObservations(observations, cli)

  const positions = program.command('positions').description('stored positions of the devices of a project')
  addLatestPositions(positions, cli)
  addDevicePositions(positions, cli)

  const location = program.command('location').description('settings and quality of location')
  addEvaluateScans(location, cli)
  addShowCoverage(location, cli)
  addLocationFallback(location, cli)
  addLocationSettings(location, cli)
}
