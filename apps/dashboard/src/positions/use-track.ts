import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { client } from '../ground/client.js'
import { useScope } from '../ground/scope.js'
import type { MapLine, MapPoint } from '../parts/map/features.js'
import { METHODS } from '../parts/map/position.js'

const DAY_MS = 86_400_000
/** Positions of a track at most. */
const MOST = 500
const NONE: readonly never[] = []

/** The way of a device in the last 24 hours. */
export interface Track {
  readonly points: readonly MapPoint[]
  readonly lines: readonly MapLine[]
  /** Undefined while it is read. */
  readonly count: number | undefined
}

/** Reads the track of a device. @param serial empty: of none */
export function useTrack(serial: string): Track {
  const { organizationSlug: organization, projectSlug: project, refused } = useScope()
  const [from] = useState(() => new Date(Date.now() - DAY_MS).toISOString())
  const { data } = useQuery({
    queryKey: ['device', organization, project, serial, 'day'],
    queryFn: async ({ signal }) => {
      const input = { organization, project, device_serial: serial, from, per_page: MOST }
      return (await client.call('listDevicePositions', input, { signal })).data
    },
    enabled: serial !== '' && !refused('device-data:read'),
  })
  return useMemo(() => {
    if (!data || serial === '') return { points: NONE, lines: NONE, count: undefined }
    const points = data.slice(1).map(({ lat, lon, fulfilledWith }, index): MapPoint => ({
      ...{ id: `track ${String(index)}`, lat, lon, label: '' },
      shape: METHODS[fulfilledWith].shape,
      tone: 'accent',
    }))
    return { points, lines: data.length > 1 ? [{ id: 'track', places: data }] : NONE, count: data.length }
  }, [data, serial])
}
