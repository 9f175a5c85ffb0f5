import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../ground/client.js'
import { useSettled } from '../ground/use-settled.js'
import type { Position } from '../parts/map/position.js'

/** Positions that are read at most. */
export const MOST = 10_000
/** So many are read again quickly. */
const FEW = 1_000
const QUICK_MS = 15_000
const SLOW_MS = 60_000
/** Time for which the map has to stand still, in milliseconds. */
const STILL_MS = 400

/** Greatest ages of positions that are read, in milliseconds. */
export const SPANS: Readonly<Record<string, { readonly text: string; readonly ms: number }>> = {
  '1h': { text: 'Last hour', ms: 3_600_000 },
  '24h': { text: 'Last day', ms: 86_400_000 },
  '7d': { text: 'Last 7 days', ms: 604_800_000 },
  '30d': { text: 'Last 30 days', ms: 2_592_000_000 },
}

interface Asked {
  readonly organization: string
  readonly project: string
  /** A name of {@link SPANS}; anything else: all that are kept. */
  readonly since: string
  /** The box of the map, as the API takes it. Used if the project has more positions than are read. */
  readonly bbox: string
  readonly isEnabled: boolean
}

export interface Positions {
  readonly list: readonly Position[]
  /** True if there are more than were read. */
  readonly isPartial: boolean
}

/** Reads the last position of each device, again and again while the page is visible. Of a large project, those in view. */
export function usePositions({ organization, project, since, bbox, isEnabled }: Asked) {
  const read = async (signal: AbortSignal, box: string): Promise<Positions> => {
    const span = SPANS[since]
    const page = await client.call(
      'listLatestPositions',
      {
        ...{ organization, project, per_page: MOST },
        ...(span && { since: new Date(Date.now() - span.ms).toISOString() }),
        ...(box !== '' && { bbox: box }),
      },
      { signal },
    )
    return { list: 'data' in page ? page.data : [], isPartial: page.next !== null }
  }
  const key = ['positions', organization, project, since]
  const whole = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => read(signal, ''),
    enabled: isEnabled,
    refetchInterval: ({ state }) => ((state.data?.list.length ?? 0) > FEW ? SLOW_MS : QUICK_MS),
    placeholderData: keepPreviousData,
  })
  const box = useSettled(bbox, STILL_MS)
  const isLarge = whole.data?.isPartial ?? false
  const inView = useQuery({
    queryKey: [...key, box],
    queryFn: ({ signal }) => read(signal, box),
    enabled: isEnabled && isLarge && box !== '',
    refetchInterval: SLOW_MS,
    placeholderData: keepPreviousData,
  })
  return { whole, data: isLarge ? (inView.data ?? whole.data) : whole.data }
}
