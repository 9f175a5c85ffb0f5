import { appendToImport, beginImport, commitImport, showImport } from './access-point-import.js'
import { exportAccessPoints, showAccessPointStatistics } from './access-point.js'
import { showCalibration } from './calibration.js'
import { resolveCellLocation } from './cell.js'
import { forgetAccessPoint, forgetArea } from './forgetting.js'
import { geolocate } from './geolocate.js'
import { resolveGroundFix } from './ground-fix.js'
import { changeLocationSettings, showLocationSettings } from './location-settings.js'
import { MAX_SUBMISSION_BYTES, submitObservations } from './observation.js'
import { resolveWifiLocation } from './wifi.js'
import { KIB, route } from '../route.js'

const LOCATION = '/v1/organizations/:organization'

/** Where scans were taken, and what is known of that. */
export const LOCATION_ROUTES = {
  resolveWifiLocation: route('POST', `${LOCATION}/projects/:project/location/wifi`, resolveWifiLocation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    mayBeEmpty: true,
  }),
  resolveCellLocation: route('POST', `${LOCATION}/projects/:project/location/cell`, resolveCellLocation, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    mayBeEmpty: true,
  }),
  resolveGroundFix: route('POST', `${LOCATION}/projects/:project/location/ground-fix`, resolveGroundFix, {
    envelope: 'none',
    device: true,
    legacyTokens: true,
    mayBeEmpty: true,
  }),
  geolocate: route('POST', '/v1/geolocate', geolocate, {
    envelope: 'none',
    device: true,
    dialect: 'geolocation',
  }),
  submitObservations: route(
    'POST',
    `${LOCATION}/projects/:project/location/observations`,
    submitObservations,
    {
      status: 202,
      envelope: 'none',
      device: true,
      bodyLimit: MAX_SUBMISSION_BYTES,
      idempotencyKey: true,
    },
  ),
  showLocationSettings: route('GET', `${LOCATION}/location/settings`, showLocationSettings),
  changeLocationSettings: route('PUT', `${LOCATION}/location/settings`, changeLocationSettings),
  showCalibration: route('GET', `${LOCATION}/location/calibration`, showCalibration),
  showAccessPointStatistics: route(
    'GET',
    `${LOCATION}/location/access_points/statistics`,
    showAccessPointStatistics,
  ),
  exportAccessPoints: route('GET', `${LOCATION}/location/access_points/export`, exportAccessPoints, {
    envelope: 'none',
    stream: true,
  }),
  forgetAccessPoint: route('POST', `${LOCATION}/location/access_points/forget`, forgetAccessPoint),
  forgetArea: route('POST', `${LOCATION}/location/areas/forget`, forgetArea),
  beginImport: route('POST', `${LOCATION}/location/access_points/imports`, beginImport, { status: 201 }),
  showImport: route('GET', `${LOCATION}/location/access_points/imports/:import_id`, showImport),
  appendToImport: route(
    'PUT',
    `${LOCATION}/location/access_points/imports/:import_id/batches/:batch`,
    appendToImport,
    { bodyLimit: 768 * KIB },
  ),
  commitImport: route('POST', `${LOCATION}/location/access_points/imports/:import_id/commit`, commitImport),
} as const
