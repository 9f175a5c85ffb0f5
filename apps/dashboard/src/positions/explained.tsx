import { useMemo, useState } from 'react'
import { counted } from '../ground/amounts.js'
import { CopyButton } from '../parts/copy-button.js'
import type { MapContent, MapLine, MapPoint } from '../parts/map/features.js'
import { boxAround } from '../parts/map/geometry.js'
import { METHODS } from '../parts/map/position.js'
import { WorldMap } from '../parts/map/world-map.js'
import { Card } from '../parts/page.js'
import { ErrorCode } from '../parts/problem.js'
import { AccessPointTable } from './access-point-table.js'
import { idOf, KINDS, meters, sourcesText, type Explanation, OUTCOMES } from './words.js'

/** What the map shows at first: access points within so many radii of 95 % from the position. */
const NEAR_RADII = 4

/** The position of a scan as a picture, with what it comes from, and the same as tables. */
export function Explained({ explanation }: { readonly explanation: Explanation }) {
  const [selected, setSelected] = useState<string>()
  const content = useMemo(() => contentOf(explanation), [explanation])
  const { position, accessPoints, cells } = explanation
  return (
    <>
      <Card title={position ? 'Position' : 'No position'}>
        {position ? <Facts explanation={explanation} /> : <Reason explanation={explanation} />}
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

function Facts({ explanation }: { readonly explanation: Explanation }) {
  const { position, radii } = explanation
  if (!position) return null
  const place = `${position.lat.toFixed(6)}, ${position.lon.toFixed(6)}`
  return (
    <dl className="facts">
      <dt>Latitude, longitude</dt>
      <dd>
        <code>{place}</code> <CopyButton text={place} of="the position" />
      </dd>
      <dt>Radius</dt>
      <dd>
        {meters(radii?.p68)} in 68 % of cases, {meters(radii?.p95)} in 95 %
      </dd>
      <dt>Found by</dt>
      <dd>
        {position.fallback ? 'the fallback provider' : KINDS[position.fulfilledWith]}
        <small>{sourcesText(explanation)}</small>
      </dd>
      <Counts explanation={explanation} />
    </dl>
  )
}

/** How many were sent, known and used; of the base layer numbers alone. */
function Counts({ explanation: { counts, shared } }: { readonly explanation: Explanation }) {
  const { received, usable, known, used, unknown = 0 } = counts.accessPoints
  return (
    <>
      <dt>Access points</dt>
      <dd>
        {counted(received, 'access point')} sent · {usable} usable · {known ?? 0} known · {used ?? 0} used
        {unknown > 0 && ` · ${String(unknown)} unknown`}
      </dd>
      {counts.cells.received > 0 && (
        <>
          <dt>Radio cells</dt>
          <dd>
            {counted(counts.cells.received, 'cell')} sent · {counts.cells.known} known · {counts.cells.used}{' '}
            used
          </dd>
        </>
      )}
      {shared !== null && (
        <>
          <dt>Of the base layer</dt>
          <dd>
            {counted(shared.accessPoints.used, 'access point')} and {counted(shared.cells.used, 'cell')} used.
            Which ones and where is not shown.
          </dd>
        </>
      )}
    </>
  )
}

/** Why there is no position, and what to do. */
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
      <dl className="facts">
        <dt>Asked</dt>
        <dd>{sourcesText(explanation)}</dd>
        <Counts explanation={explanation} />
      </dl>
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
    // What is known to be far away would make the rest one dot.
    if (!radii || (distance ?? 0) <= NEAR_RADII * radii.p95) near.push(point)
    if (isUsed && position) lines.push({ id, places: [own, position] })
  })
  return { points, lines, whole: boxAround({ points: near }) }
}

/** What became of each radio cell. */
function CellTable({ cells }: { readonly cells: Explanation['cells'] }) {
  return (
    <div className="table-frame">
      <table>
        <caption className="visually-hidden">Radio cells of the scan</caption>
        <thead>
          <tr>
            <th scope="col">Radio cell</th>
            <th scope="col">Result</th>
            <th scope="col">From the position</th>
            <th scope="col">Range</th>
          </tr>
        </thead>
        <tbody>
          {cells.map(({ cell, outcome, own }, index) => (
            <tr key={String(index)}>
              <th scope="row">
                <code>{cell ?? 'incomplete'}</code>
              </th>
              <td data-label="Result">
                <span className={outcome === 'used' ? 'badge good' : 'badge'}>{OUTCOMES[outcome]}</span>
              </td>
              <td data-label="From the position">{meters(own?.distance)}</td>
              <td data-label="Range">{meters(own?.range)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
