import type { AccessPointCounts } from '../../errors/error-details.js'

/**
 * Writes the position of a Wi-Fi scan as nearly all are: found with access points, without a provider, for no device. The schema and JSON
 * give the same, and take several times as long.
 *
 * @returns undefined for everything else, whether it is valid or not
 */
export function writeUsualLocation(output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  const { lat, lon, uncertainty, fulfilledWith, accessPoints, fallback, stored, leftOut, floor, altitude } =
    output as Unchecked
  if (!isWithin(lat, -90, 90) || !isWithin(lon, -180, 180) || !isPositive(uncertainty)) return undefined
  if (fulfilledWith !== 'WIFI' || fallback !== undefined) return undefined
  if (stored !== undefined || leftOut !== undefined || floor !== undefined || altitude !== undefined)
    return undefined
  if (typeof accessPoints !== 'object' || accessPoints === null) return undefined
  const { received, usable, known, used, unknown, ranged } = accessPoints
  if (!isCount(received) || !isCount(usable) || !isCount(known) || !isCount(used) || !isCount(unknown))
    return undefined
  if (ranged !== undefined) return undefined
  return `{"lat":${String(lat)},"lon":${String(lon)},"uncertainty":${String(uncertainty)},"fulfilledWith":"WIFI","accessPoints":{"received":${String(received)},"usable":${String(usable)},"known":${String(known)},"used":${String(used)},"unknown":${String(unknown)}}}`
}

type Fields<Names extends PropertyKey> = Partial<Readonly<Record<Names, unknown>>>
interface Unchecked extends Fields<
  'lat' | 'lon' | 'uncertainty' | 'fulfilledWith' | 'fallback' | 'stored' | 'leftOut' | 'floor' | 'altitude'
> {
  readonly accessPoints?: Fields<keyof AccessPointCounts> | null
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && value >= least && value <= most
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < Infinity
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && isWithin(value, 0, Infinity)
}
