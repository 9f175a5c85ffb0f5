import {
  appendToImport,
  beginImport,
  commitImport,
  listImports,
  showImport,
} from './access-points/access-point-import.js'
import { exportAccessPoints, showAccessPointStatistics } from './access-points/access-point.js'
import { resolveCellLocation } from './cells/cell.js'
import { listAccessPoints, showCoverage } from './access-points/coverage.js'
import { forgetAccessPoint, forgetArea, forgetCell } from './access-points/erase-stations.js'
import { explainLocation } from './lookups/explanation.js'
import { geolocate } from './lookups/geolocate.js'
import {
  deleteDevicePositions,
  listDevicePositions,
  showDevicePosition,
} from './positions/device-position.js'
import {
  setLocationFallback,
  showLocationFallback,
  turnOffLocationFallback,
} from './settings/location-fallback.js'
import { exportObservations } from './observations/exported-observation.js'
import { resolveGroundFix } from './lookups/ground-fix.js'
import { exportCells } from './cells/known-cell.js'
import { listLatestPositions } from './positions/latest-position.js'
import { changeLocationSettings, showLocationSettings } from './settings/location-settings.js'
import {
  findObservations,
  MAX_GEOSUBMIT_BYTES,
  MAX_SUBMISSION_BYTES,
  submitObservations,
} from './observations/observation.js'
import { changePositionPolicy, showPositionPolicy } from './positions/position-policy.js'
import { MAX_BATCH_BYTES, resolveWifiBatch } from './lookups/wifi-batch.js'
import { resolveWifiLocation } from './lookups/wifi.js'
import type { Operation } from '../operation.js'
import { KIB, route } from '../route.js'

const LOCATION = '/v1/organizations/:organization'
const PROJECT_LOCATION = `${LOCATION}/projects/:project/location`
/** Path of a device's positions. */
const DEVICE = `${PROJECT_LOCATION}/devices/:device_serial`

/** Paths without organization and project, for a project key or a token that is bound to one project. */
function legacy<O extends Operation>(name: string, operation: O) {
  return route('POST', `/v1/location/${name}`, operation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    locationQuery: true,
    mayBeEmpty: true,
  })
}

/** Routes for positions, and for the data behind them. */
export const LOCATION_ROUTES = {
  resolveWifiLocation: route('POST', `${PROJECT_LOCATION}/wifi`, resolveWifiLocation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    locationQuery: true,
    mayBeEmpty: true,
  }),
  resolveWifiBatch: route('POST', `${PROJECT_LOCATION}/wifi/batch`, resolveWifiBatch, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    bodyLimit: MAX_BATCH_BYTES,
    countsEach: 'scans',
  }),
  explainLocation: route('POST', `${PROJECT_LOCATION}/explain`, explainLocation, { envelope: 'none' }),
  resolveCellLocation: route('POST', `${PROJECT_LOCATION}/cell`, resolveCellLocation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    locationQuery: true,
    mayBeEmpty: true,
  }),
  resolveGroundFix: route('POST', `${PROJECT_LOCATION}/ground-fix`, resolveGroundFix, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    locationQuery: true,
    mayBeEmpty: true,
  }),
  legacyWifiLocation: legacy('wifi', resolveWifiLocation),
  legacyCellLocation: legacy('cell', resolveCellLocation),
  legacyGroundFix: legacy('ground-fix', resolveGroundFix),
  geolocate: route('POST', '/v1/geolocate', geolocate, {
    envelope: 'none',
    device: true,
    dialect: 'geolocation',
  }),
  submitObservations: route('POST', `${PROJECT_LOCATION}/observations`, submitObservations, {
    status: 202,
    envelope: 'none',
    device: true,
    bodyLimit: MAX_SUBMISSION_BYTES,
    idempotencyKey: true,
  }),
  geosubmit: route('POST', '/v2/geosubmit', submitObservations, {
    envelope: 'empty',
    device: true,
    dialect: 'geolocation',
    bodyLimit: MAX_GEOSUBMIT_BYTES,
    hasController: true,
  }),
  findObservations: route('POST', `${PROJECT_LOCATION}/observations/find`, findObservations, {
    bodyLimit: MAX_SUBMISSION_BYTES,
  }),
  exportObservations: route('GET', `${PROJECT_LOCATION}/observations/export`, exportObservations, {
    envelope: 'none',
    stream: true,
  }),
  showPositionPolicy: route('GET', `${PROJECT_LOCATION}/position_policy`, showPositionPolicy),
  changePositionPolicy: route('PUT', `${PROJECT_LOCATION}/position_policy`, changePositionPolicy),
  listLatestPositions: route('GET', `${PROJECT_LOCATION}/positions/latest`, listLatestPositions, {
    envelope: 'none',
    geoJson: true,
  }),
  showDevicePosition: route('GET', `${DEVICE}/position`, showDevicePosition),
  listDevicePositions: route('GET', `${DEVICE}/positions`, listDevicePositions, { envelope: 'none' }),
  deleteDevicePositions: route('DELETE', `${DEVICE}/positions`, deleteDevicePositions),
  showLocationSettings: route('GET', `${LOCATION}/location/settings`, showLocationSettings),
  changeLocationSettings: route('PUT', `${LOCATION}/location/settings`, changeLocationSettings),
  showLocationFallback: route('GET', `${LOCATION}/location/fallback`, showLocationFallback),
  setLocationFallback: route('PUT', `${LOCATION}/location/fallback`, setLocationFallback),
  turnOffLocationFallback: route('DELETE', `${LOCATION}/location/fallback`, turnOffLocationFallback),
  showAccessPointStatistics: route(
    'GET',
    `${LOCATION}/location/access_points/statistics`,
    showAccessPointStatistics,
  ),
  listAccessPoints: route('GET', `${LOCATION}/location/access_points`, listAccessPoints, {
    envelope: 'none',
  }),
  showCoverage: route('GET', `${LOCATION}/location/access_points/coverage`, showCoverage),
  exportAccessPoints: route('GET', `${LOCATION}/location/access_points/export`, exportAccessPoints, {
    envelope: 'none',
    stream: true,
  }),
  forgetAccessPoint: route('POST', `${LOCATION}/location/access_points/forget`, forgetAccessPoint),
  exportCells: route('GET', `${LOCATION}/location/cells/export`, exportCells, {
    envelope: 'none',
    stream: true,
  }),
  forgetCell: route('POST', `${LOCATION}/location/cells/forget`, forgetCell),
  forgetArea: route('POST', `${LOCATION}/location/areas/forget`, forgetArea),
  beginImport: route('POST', `${LOCATION}/location/access_points/imports`, beginImport, { status: 201 }),
  listImports: route('GET', `${LOCATION}/location/access_points/imports`, listImports, { envelope: 'none' }),
  showImport: route('GET', `${LOCATION}/location/access_points/imports/:import_id`, showImport),
  appendToImport: route(
    'PUT',
    `${LOCATION}/location/access_points/imports/:import_id/batches/:batch`,
    appendToImport,
    { bodyLimit: 768 * KIB },
  ),
  commitImport: route('POST', `${LOCATION}/location/access_points/imports/:import_id/commit`, commitImport),
} as const
