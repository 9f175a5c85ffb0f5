import { useMemo, useState } from 'react'
import { counted } from '../ground/amounts.js'
import { Button } from '../parts/button.js'
import { Copied, Facts } from '../parts/facts.js'
import { heightFacts } from '../parts/map/height.js'
import type { MapContent, MapLine, MapPoint } from '../parts/map/features.js'
import { boxAround } from '../parts/map/geometry.js'
import { METHODS } from '../parts/map/position.js'
import { WorldMap } from '../parts/map/world-map.js'
import { Card } from '../parts/page.js'
import { ErrorCode } from '../parts/problem.js'
import { Table } from '../parts/table.js'
import {
  idOf,
  KINDS,
  meters,
  OUTCOMES,
  sourcesText,
  type ExplainedAccessPoint,
  type Explanation,
} from './words.js'

/** Content of the map at first: access points within so many radii of 95 % from the position. */
const NEAR_RADII = 4

/** The position of a scan as a picture, with what it comes from, and the same as tables. */
export function Explained({ explanation }: { readonly explanation: Explanation }) {
  const [selected, setSelected] = useState<string>()
  const content = useMemo(() => contentOf(explanation), [explanation])
  const { position, accessPoints, cells } = explanation
  return (
    <>
      <Card title={position ? 'Position' : 'No position'}>
        {position ? <Found explanation={explanation} /> : <Reason explanation={explanation} />}
        {content.points.length > 0 && (
          <WorldMap
            isSmall
            label={position ? 'Where the scan was taken, and its access points' : 'Access points of the scan'}
            {...content}
            selected={selected}
            onSelect={setSelected}
          />
        )}
      </Card>
      {accessPoints.length > 0 && (
        <AccessPointTable accessPoints={accessPoints} selected={selected} onSelect={setSelected} />
      )}
      {cells.length > 0 && <CellTable cells={cells} />}
    </>
  )
}

function Found({ explanation }: { readonly explanation: Explanation }) {
  const { position, radii } = explanation
  if (!position) return null
  const place = `${position.lat.toFixed(6)}, ${position.lon.toFixed(6)}`
  return (
    <Facts
      facts={{
        'Latitude, longitude': <Copied text={place} of="position" />,
        Radius: `${meters(radii?.p68)} in 68 % of cases, ${meters(radii?.p95)} in 95 %`,
        ...heightFacts(position),
        'Found by': (
          <>
            {position.fallback ? 'the fallback provider' : KINDS[position.fulfilledWith]}
            <small>{sourcesText(explanation)}</small>
          </>
        ),
        ...countsOf(explanation),
      }}
    />
  )
}

/** Returns how many were sent, known and used; of the base layer numbers alone. */
function countsOf({ counts, shared }: Explanation) {
  const { received, usable, known, used, unknown = 0 } = counts.accessPoints
  const { cells } = counts
  return {
    'Access points': `${counted(received, 'access point')} sent · ${String(usable)} usable · ${String(known ?? 0)} known · ${String(used ?? 0)} used${unknown > 0 ? ` · ${String(unknown)} unknown` : ''}`,
    'Radio cells':
      cells.received > 0 &&
      `${counted(cells.received, 'cell')} sent · ${String(cells.known)} known · ${String(cells.used)} used`,
    'Of the base layer':
      shared &&
      `${counted(shared.accessPoints.used, 'access point')} and ${counted(shared.cells.used, 'cell')} used. Which ones and where is not shown.`,
  }
}

/** Shows the error if there is no position, and its details. */
function Reason({ explanation }: { readonly explanation: Explanation }) {
  const { error } = explanation
  return (
    <>
      <div className="notice attention" role="status">
        <p>{error?.detail ?? 'There is no position.'}</p>
        {error && (
          <div className="meta">
            <ErrorCode code={error.code} />
            {error.reason !== undefined && <span>reason: {error.reason.replaceAll('_', ' ')}</span>}
          </div>
        )}
      </div>
      <Facts facts={{ Asked: sourcesText(explanation), ...countsOf(explanation) }} />
    </>
  )
}

/** The position with its two circles, own access points, and a line from each that was used. */
function contentOf({ position, radii, accessPoints }: Explanation): MapContent {
  const points: MapPoint[] = []
  const lines: MapLine[] = []
  if (position && radii)
    points.push({
      ...{ id: 'position', lat: position.lat, lon: position.lon, label: 'The position' },
      radii: [radii.p68, radii.p95],
      shape: METHODS[position.fulfilledWith].shape,
      tone: 'attention',
      isHatched: position.fallback ?? false,
    })
  const near = [...points]
  accessPoints.forEach(({ own, outcome, macAddress }, index) => {
    if (!own) return
    const { lat, lon, distance } = own
    const [id, isUsed] = [idOf(index), outcome === 'used']
    const point: MapPoint = {
      ...{ id, lat, lon, label: macAddress ?? '' },
      shape: 'diamond',
      tone: isUsed ? 'accent' : 'plain',
    }
    points.push(point)
    // Points known to be far away would make the rest one dot.
    if (!radii || (distance ?? 0) <= NEAR_RADII * radii.p95) near.push(point)
    if (isUsed && position) lines.push({ id, places: [own, position] })
  })
  return { points, lines, whole: boxAround({ points: near }) }
}

/** Shows the outcome of each radio cell. */
function CellTable({ cells }: { readonly cells: Explanation['cells'] }) {
  return (
    <Table
      caption="Radio cells of the scan"
      rows={cells.map((cell, index) => ({ ...cell, id: String(index) }))}
      idOf={({ id }) => id}
      columns={[
        { title: 'Radio cell', isRowHeader: true, cell: ({ cell }) => <code>{cell ?? 'incomplete'}</code> },
        { title: 'Result', cell: outcomeText },
        { title: 'From the position', cell: ({ own }) => meters(own?.distance) },
        { title: 'Range', cell: ({ own }) => meters(own?.range) },
      ]}
    />
  )
}

function outcomeText({ outcome }: { readonly outcome: keyof typeof OUTCOMES }) {
  return <span className={outcome === 'used' ? 'badge good' : 'badge'}>{OUTCOMES[outcome]}</span>
}

/** Shows the outcome of each access point: the same as on the map, and the reasons that others did not count. */
function AccessPointTable({
  accessPoints,
  selected,
  onSelect,
}: {
  readonly accessPoints: readonly ExplainedAccessPoint[]
  readonly selected: string | undefined
  readonly onSelect: (id: string | undefined) => void
}) {
  return (
    <Table
      caption="Access points of the scan"
      rows={accessPoints.map((one, index) => ({ ...one, id: idOf(index) }))}
      idOf={({ id }) => id}
      isCurrent={({ id }) => id === selected}
      columns={[
        {
          title: 'Access point',
          isRowHeader: true,
          cell: ({ id, macAddress, own, locallyAdministered }) => {
            const address = <code>{macAddress ?? 'unreadable'}</code>
            const select = () => onSelect(selected === id ? undefined : id)
            return (
              <>
                {own ? (
                  <Button look="small plain" aria-pressed={selected === id} onPress={select}>
                    {address}
                  </Button>
                ) : (
                  address
                )}
                {locallyAdministered && <small> locally administered</small>}
              </>
            )
          },
        },
        {
          title: 'Signal',
          cell: ({ signalStrength }) => (signalStrength === null ? '–' : `${String(signalStrength)} dBm`),
        },
        { title: 'Result', cell: outcomeText },
        { title: 'From the position', cell: ({ own }) => meters(own?.distance) },
        {
          title: 'Off by',
          cell: ({ own }) => (
            <>
              {meters(own?.residual)}
              {typeof own?.residual === 'number' && <small> of {meters(own.expected)} expected</small>}
            </>
          ),
        },
        {
          title: 'Known from',
          cell: ({ own }) =>
            own
              ? `${own.learned ? 'learned' : 'imported'}${own.spread > 0 ? `, spread ${meters(own.spread)}` : ''}`
              : '–',
        },
      ]}
    />
  )
}
