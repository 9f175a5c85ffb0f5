import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { count, counted } from '../ground/amounts.js'
import { installation } from '../ground/queries.js'
import { useNow } from '../ground/use-now.js'
import { CopyButton } from '../parts/copy-button.js'
import { floorsOf } from '../parts/map/height.js'
import { boxText, parseBox } from '../parts/map/geometry.js'
import { CONFIDENCES, DEFAULT_CONFIDENCE, toMapPoint, METHODS, type Position } from '../parts/map/position.js'
import { WorldMap } from '../parts/map/world-map.js'
import { SearchField } from '../parts/search-field.js'
import { Select } from '../parts/select.js'
import { MapLegend } from './map-legend.js'
import type { State } from './page-state.js'
import { PositionPanel } from './position-panel.js'
import { PER_PAGE, PositionTable } from './position-table.js'
import { TimeSlider } from './time-slider.js'
import { useOwnAccessPoints } from './use-own-access-points.js'
import { MOST, SPANS, type Positions } from './use-positions.js'
import { useTrack } from './use-track.js'

/** Filters of the positions. Texts of the URL; empty: everything. */
interface PositionFilter {
  /** A method, or `fallback`. */
  readonly method: string
  /** The beginning of the serial number. */
  readonly q: string
  /** The last moment, in UTC. */
  readonly until: string
  readonly floor: string
}

/** Interval between updates of ages, in milliseconds. */
const AGES_MS = 60_000
/** Access points lie beneath devices, and are fainter than on Coverage. */
const FAINT = 0.3

interface Props {
  readonly positions: Positions
  readonly state: State
  readonly change: (change: Partial<State>) => void
  /** The box of the map, as the API takes it; empty before it shows anything. */
  readonly bbox: string
  readonly onBox: (bbox: string, isChosen: boolean) => void
}

/** The positions of a project on a map, and the same as a table. */
export function Fleet({ positions, state, change, bbox, onBox }: Props) {
  const { method, q, until, device, floor } = state
  const now = useNow(AGES_MS)
  const confidence = CONFIDENCES.find((candidate) => candidate === state.circle) ?? DEFAULT_CONFIDENCE
  const percent = Number(confidence)
  const shown = useMemo(
    () => selectPositions(positions.list, { method, q, until, floor }),
    [positions, method, q, until, floor],
  )
  const points = useMemo(
    () => shown.map((position) => toMapPoint(position, percent, now)),
    [shown, percent, now],
  )
  const [firstBox] = useState(() => parseBox(state.box))
  const { isShown, background: accessPoints, ...own } = useOwnEvidence(state.own, bbox)
  const track = useTrack(device)
  const background = useMemo(() => [...accessPoints, ...track.points], [accessPoints, track.points])
  const devices = counted(shown.length, 'device')
  const selected = shown.find(({ device_serial: serial }) => serial === device)
  const select = (serial: string) => {
    const index = shown.findIndex(({ device_serial: other }) => other === serial)
    change({ device: serial, ...(index >= 0 && { page: pageText(index) }) })
  }
  return (
    <>
      <PositionFilters state={state} change={change} floors={floorsOf(positions.list)} count={devices} />
      {positions.isPartial && (
        <p className="notice">
          The project has more than {count(MOST)} devices: these are the first of what the map shows. Zoom in,
          or choose a shorter time.
        </p>
      )}
      <div className="map-and-table">
        <div className="stack">
          <WorldMap
            label={`Map of ${devices}`}
            points={points}
            {...own}
            background={background}
            lines={track.lines}
            selected={device === '' ? undefined : device}
            onSelect={(serial) => select(serial ?? '')}
            firstBox={firstBox}
            onBox={(next, isChosen) => onBox(boxText(next), isChosen)}
          />
          <TimeSlider
            positions={positions.list}
            until={until}
            nowMs={now}
            onChange={(next) => change({ until: next, page: '' })}
          />
          <MapLegend
            confidence={confidence}
            onConfidence={(circle) => change({ circle: circle === DEFAULT_CONFIDENCE ? '' : circle })}
            hasAccessPoints={isShown}
            onAccessPoints={(isOn) => change({ own: isOn ? 'yes' : 'no' })}
          />
        </div>
        <section className="stack" aria-label="Positions">
          {selected && (
            <PositionPanel position={selected} percent={percent} track={track} onClose={() => select('')} />
          )}
          {shown.length === 0 ? (
            <p className="empty">No position matches. Choose a longer time, or clear the filters.</p>
          ) : (
            <PositionTable
              positions={shown}
              percent={percent}
              nowMs={now}
              selected={device}
              onSelect={(serial) => change({ device: serial })}
              page={Number(state.page) || 1}
              onPage={(page) => change({ page: page === 1 ? '' : String(page) })}
            />
          )}
        </section>
      </div>
    </>
  )
}

/**
 * The organization's own access points in view, beneath the devices. Without a map of the installation they are the best map there is,
 * so they are shown unless somebody has switched them off.
 */
function useOwnEvidence(chosen: string, bbox: string) {
  const { data: config } = useQuery(installation)
  const isShown = chosen === '' ? config?.map_url === '' : chosen === 'yes'
  const { areas, accessPoints: background } = useOwnAccessPoints(bbox === '' ? undefined : bbox, isShown)
  const faint = useMemo(() => areas.map((area) => ({ ...area, share: area.share * FAINT })), [areas])
  return { isShown, areas: faint, background }
}

function pageText(index: number): string {
  const page = Math.floor(index / PER_PAGE) + 1
  return page === 1 ? '' : String(page)
}

/** Returns the positions that match, the newest first. */
function selectPositions(
  positions: readonly Position[],
  { method, q, until, floor }: PositionFilter,
): Position[] {
  const latest = until === '' ? Infinity : Date.parse(until)
  const start = q.trim().toLowerCase()
  return positions
    .filter(
      (position) =>
        (method === '' || (method === 'fallback' ? position.fallback : position.fulfilledWith === method)) &&
        (floor === '' || position.floor?.name === floor) &&
        position.device_serial.toLowerCase().startsWith(start) &&
        !(Date.parse(position.resolved_at) > latest),
    )
    .toSorted((a, b) => compare(b.resolved_at, a.resolved_at) || compare(a.device_serial, b.device_serial))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

interface PositionFiltersProps {
  readonly state: State
  readonly change: (change: Partial<State>) => void
  /** Those that any position has. */
  readonly floors: readonly string[]
  /** Number of devices that match, in words. */
  readonly count: string
}

/** Filters positions. All of it is in the URL. */
function PositionFilters({ state, change, floors, count }: PositionFiltersProps) {
  const { href } = useLocation()
  return (
    <div className="row filters">
      <Select
        label="Located"
        value={state.since in SPANS ? state.since : 'all'}
        onChange={(id) => change({ since: id === 'all' ? '' : id, until: '', page: '' })}
        options={[
          { id: 'all', text: 'At any time' },
          ...Object.entries(SPANS).map(([id, { text }]) => ({ id, text })),
        ]}
      />
      <Select
        label="Method"
        value={state.method === '' ? 'all' : state.method}
        onChange={(id) => change({ method: id === 'all' ? '' : id, page: '' })}
        options={[
          { id: 'all', text: 'Every method' },
          ...Object.entries(METHODS).map(([id, { text }]) => ({ id, text })),
          { id: 'fallback', text: 'By the fallback' },
        ]}
      />
      {floors.length > 0 && (
        <Select
          label="Floor"
          value={`=${state.floor}`}
          onChange={(id) => change({ floor: id.slice(1), page: '' })}
          options={[
            { id: '=', text: 'Every floor' },
            ...floors.map((name) => ({ id: `=${name}`, text: `Floor ${name}` })),
          ]}
        />
      )}
      <SearchField
        label="Device"
        placeholder="Serial number begins with"
        value={state.q}
        onSearch={(q) => change({ q, page: '' })}
      />
      <p className="quiet" role="status">
        {count}
      </p>
      <CopyButton text={window.location.origin + href} of="the link to this view" label="Copy link" look="" />
    </div>
  )
}
