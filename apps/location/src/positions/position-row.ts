import type { DevicePosition } from '@bearing/contracts/location/device-position'
import { OperationError } from '@bearing/contracts/errors'
import type { z } from 'zod'
import type { Database } from '../ground/database.js'
import { policyKey, viewPositionPolicy } from './position-policy-view.js'

const DAY_MS = 24 * 3_600 * 1_000

/** What of a row is shown. */
export const SHOWN = {
  at: true,
  lat: true,
  lon: true,
  uncertainty: true,
  confidence: true,
  fulfilledWith: true,
  fallback: true,
} as const

/** The newest first. */
export const NEWEST_FIRST = [{ at: 'desc' }, { id: 'desc' }] as const

interface Row {
  readonly at: Date
  readonly lat: number
  readonly lon: number
  readonly uncertainty: number
  readonly confidence: number
  readonly fulfilledWith: string
  readonly fallback: boolean
}

/** Whose positions. */
export interface DevicePlace {
  readonly organization_id: string
  readonly project_id: string
  readonly device_serial: string
}

/** A stored position as operations return it. */
export function toDevicePosition({ at, fulfilledWith, ...row }: Row): z.output<typeof DevicePosition> {
  // The database lets in nothing else.
  const source = fulfilledWith as z.output<typeof DevicePosition>['fulfilledWith']
  return {
    lat: row.lat,
    lon: row.lon,
    uncertainty: row.uncertainty,
    confidence: row.confidence,
    fulfilledWith: source,
    fallback: row.fallback,
    resolved_at: at.toISOString(),
  }
}

/** The rows of a device: the permission was checked for this organization, so they have to be of it. */
export function ofDevice({ organization_id, project_id, device_serial }: DevicePlace) {
  return { projectId: project_id, deviceSerial: device_serial, organizationId: organization_id }
}

/** The first moment of which a project still keeps positions: what is older is as good as gone, swept or not. */
export async function keptSince(database: Database, place: DevicePlace, now: Date): Promise<Date> {
  const row = await database.positionPolicy.findUnique({ where: policyKey(place) })
  return new Date(now.getTime() - viewPositionPolicy(row).retention_days * DAY_MS)
}

/** What is told where there is none. */
export function positionNotFound(): OperationError {
  return new OperationError(
    'position_not_found',
    'No position of this device is stored: none was asked for with its "device_id" while the project stored positions, or it is not kept any more.',
  )
}
