import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'

type AccessPoints = CallOutput<'listAccessPoints'>['data']

/** An access point as a scan contains it. */
export interface ScannedAccessPoint {
  readonly macAddress: string
  readonly signalStrength: number
}

/** Greatest distance of two access points that a device can receive, in degrees of latitude: about 100 m. */
const NEAR_DEGREES = 0.001

/**
 * Returns a scan that has a position: two access points of the organization that are near each other. Undefined while they are not
 * known, if there are none, or if the user may not list them.
 */
export function useSampleScan(): readonly ScannedAccessPoint[] | undefined {
  const { organizationSlug: organization, refused } = useScope()
  const listed = useQuery({
    ...calling(['access-points', organization, ''], 'listAccessPoints', { organization }),
    enabled: !refused('access-point:export'),
  })
  return useMemo(() => sampleOf(listed.data?.data ?? []), [listed.data])
}

function sampleOf(accessPoints: AccessPoints): readonly ScannedAccessPoint[] | undefined {
  const still = accessPoints.filter(({ moving }) => !moving)
  for (const [index, first] of still.entries()) {
    const second = still.slice(index + 1).find((other) => isNear(first, other))
    if (second)
      return [
        { macAddress: first.macAddress, signalStrength: -52 },
        { macAddress: second.macAddress, signalStrength: -55 },
      ]
  }
  return undefined
}

function isNear(one: AccessPoints[number], other: AccessPoints[number]): boolean {
  const eastWest = Math.abs(one.lon - other.lon) * Math.cos((one.lat * Math.PI) / 180)
  return Math.abs(one.lat - other.lat) < NEAR_DEGREES && eastWest < NEAR_DEGREES
}
