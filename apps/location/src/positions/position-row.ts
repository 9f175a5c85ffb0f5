import { DAY_MS } from '@bearing/contracts/durations'
import type { DevicePosition } from '@bearing/contracts/location/positions/device-position'
import type { Height } from '@bearing/contracts/location/lookups/height'
import { OperationError } from '@bearing/contracts/errors'
import type { z } from 'zod'
import type { Database } from '../ground/database.js'
import type { Scope } from '../ground/scope.js'
import { policyKey, viewPositionPolicy } from './position-policy-view.js'

/** The columns that are shown. */
export const SHOWN = {
  at: true,
  lat: true,
  lon: true,
  uncertainty: true,
  confidence: true,
  fulfilledWith: true,
  fallback: true,
  height: true,
} as const

export const NEWEST_FIRST = [{ at: 'desc' }, { id: 'desc' }] as const

interface Row {
  readonly at: Date
  readonly lat: number
  readonly lon: number
  readonly uncertainty: number
  readonly confidence: number
  readonly fulfilledWith: string
  readonly fallback: boolean
  readonly height: unknown
}

export interface DeviceScope extends Scope {
  readonly device_serial: string
}

/** Returns a stored position as operations show it. */
export function toDevicePosition({ at, fulfilledWith, ...row }: Row): z.output<typeof DevicePosition> {
  // The database allows nothing else.
  const source = fulfilledWith as z.output<typeof DevicePosition>['fulfilledWith']
  return {
    lat: row.lat,
    lon: row.lon,
    uncertainty: row.uncertainty,
    confidence: row.confidence,
    fulfilledWith: source,
    fallback: row.fallback,
    resolved_at: at.toISOString(),
    ...storedHeight(row.height),
  }
}

/** @param height what {@link heightToStore} has written */
function storedHeight(height: unknown): Height {
  return typeof height === 'object' && height !== null ? height : {}
}

/** Returns the column of a height; null where nothing is known. */
export function heightToStore({ floor, altitude, altitudeAccuracy }: Height): string | null {
  return floor === undefined && altitude === undefined
    ? null
    : JSON.stringify({ floor, altitude, altitudeAccuracy })
}

/** Selects the rows of a device. The permission was checked for this organization, so it is part of the condition. */
export function ofDevice({ organization_id, project_id, device_serial }: DeviceScope) {
  return { projectId: project_id, deviceSerial: device_serial, organizationId: organization_id }
}

/** Returns the retention limit of a project. Older positions are not shown, swept or not. */
export async function keptSince(database: Database, place: Scope, now: Date): Promise<Date> {
  const row = await database.positionPolicy.findUnique({ where: policyKey(place) })
  return new Date(now.getTime() - viewPositionPolicy(row).retention_days * DAY_MS)
}

export function positionNotFound(): OperationError {
  return new OperationError(
    'position_not_found',
    'No position of this device is stored. Either none was requested with its "device_id" while the project stored positions, or it has expired.',
  )
}
