import { metersText } from '../map/geometry.js'
import { CopyButton } from '../parts/copy-button.js'
import { Time } from '../parts/time.js'
import { METHODS, radiusAt, type Position } from './position.js'

/** The position that is selected. */
export function PositionDetails({
  position,
  percent,
}: {
  readonly position: Position
  readonly percent: number
}) {
  const { device_serial: serial, lat, lon, fulfilledWith, fallback, resolved_at: at } = position
  const place = `${lat.toFixed(6)}, ${lon.toFixed(6)}`
  return (
    <section className="card" aria-label={`Position of ${serial}`}>
      <h2>{serial}</h2>
      <dl className="facts">
        <dt>Place</dt>
        <dd>
          <code>{place}</code> <CopyButton text={place} of="the coordinates" />
        </dd>
        <dt>Circle</dt>
        <dd>
          {metersText(radiusAt(position, percent))}, holds it in {percent} % of cases
        </dd>
        <dt>Method</dt>
        <dd>
          {METHODS[fulfilledWith].text}
          {fallback && ', by the fallback of the organization'}
        </dd>
        <dt>Located</dt>
        <dd>
          <Time at={at} />
        </dd>
      </dl>
    </section>
  )
}
