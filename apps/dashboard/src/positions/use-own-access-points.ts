import type { CallOutput } from '@bearing/client/call-types'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { useSettled } from '../ground/use-settled.js'
import type { MapArea, MapPoint } from '../parts/map/features.js'

export type Coverage = CallOutput<'showCoverage'>
type AccessPoints = CallOutput<'listAccessPoints'>['data']

/** The most access points that are shown one by one: the API lists as many. */
const MOST_POINTS = 2_000
/** Time for which the map has to stand still, in milliseconds. */
const STILL_MS = 400
const NO_CELLS: Coverage['cells'] = []
const NO_POINTS: AccessPoints = []

/** The grid of a box, as the API takes it; empty: of everything. */
export const coverageOf = (organization: string, bbox: string) =>
  queryOptions({
    ...calling(['coverage', organization, bbox], 'showCoverage', {
      organization,
      ...(bbox !== '' && { bbox }),
    }),
    placeholderData: keepPreviousData,
  })

/**
 * Reads where the organization's own access points are, for a map: a grid, and single ones where few are in view and the user may
 * list them.
 *
 * @param bbox what the map shows, as the API takes it; empty: everything. Undefined: nothing yet
 * @param isShown nothing is read and returned otherwise
 */
export function useOwnAccessPoints(bbox: string | undefined, isShown = true) {
  const { organizationSlug: organization, refused } = useScope()
  const settled = useSettled(bbox, STILL_MS)
  const box = settled ?? ''
  const isOn = isShown && settled !== undefined && !refused('access-point:read')
  const coverage = useQuery({ ...coverageOf(organization, box), enabled: isOn })
  const grid = isOn ? coverage.data : undefined
  const isFew = grid?.sampled === 1 && grid.total.access_points <= MOST_POINTS
  const listed = useQuery({
    ...calling(['access-points', organization, box], 'listAccessPoints', {
      organization,
      ...(box !== '' && { bbox: box }),
    }),
    enabled: isFew && !coverage.isPlaceholderData && !refused('access-point:export'),
    placeholderData: keepPreviousData,
  })
  const cells = grid?.cells ?? NO_CELLS
  const single = isFew ? (listed.data?.data ?? NO_POINTS) : NO_POINTS
  const areas = useMemo(() => areasOf(cells), [cells])
  const accessPoints = useMemo(() => single.map(pointOf), [single])
  return { coverage, areas, accessPoints }
}

/** Filled by the logarithm of the count: a town would leave nothing of its surroundings else. */
function areasOf(cells: Coverage['cells']): MapArea[] {
  const most = cells.reduce((max, { access_points }) => Math.max(max, access_points), 1)
  return cells.map(({ west, south, east, north, access_points }) => ({
    ...{ id: `${String(west)},${String(south)}`, west, south, east, north },
    share: Math.log1p(access_points) / Math.log1p(most),
  }))
}

function pointOf({ macAddress, lat, lon, moving, learned }: AccessPoints[number]): MapPoint {
  return {
    ...{ id: macAddress, lat, lon, label: macAddress },
    shape: 'diamond',
    tone: moving ? 'attention' : learned ? 'accent' : 'plain',
  }
}
