import { Link } from '@tanstack/react-router'
import { addressOf, deviceAddress } from '../ground/address-of.js'
import { counted } from '../ground/amounts.js'
import { useScope } from '../ground/scope.js'
import { Button } from '../parts/button.js'
import { CopyButton } from '../parts/copy-button.js'
import { Copied, Facts } from '../parts/facts.js'
import { heightFacts } from '../parts/map/height.js'
import { Icon } from '../parts/icon.js'
import { metersText } from '../parts/map/geometry.js'
import { METHODS, radiusAt, type Position } from '../parts/map/position.js'
import { Time } from '../parts/time.js'
import type { Track } from './use-track.js'

const TRY = '/o/$organization/p/$project/location/try'

/** Basis of each method, for people who ask why a circle is that large. */
const EXPLANATIONS: Readonly<Record<Position['fulfilledWith'], string>> = {
  WIFI: 'Access points that it received, at known places, weighted by signal strength.',
  MCELL: 'Several radio cells that it received, at known places.',
  SCELL: 'One radio cell: it was somewhere in the range of that.',
}

/** The device that is selected on the map. */
export function PositionPanel({
  position,
  percent,
  track,
  onClose,
}: {
  readonly position: Position
  readonly percent: number
  readonly track: Track
  readonly onClose: () => void
}) {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const { device_serial: serial, lat, lon, fulfilledWith, fallback, resolved_at: at } = position
  const place = `${lat.toFixed(6)}, ${lon.toFixed(6)}`
  const geo = `geo:${lat.toFixed(6)},${lon.toFixed(6)};u=${String(Math.round(position.uncertainty))}`
  return (
    <section className="card" aria-label={`Position of ${serial}`}>
      <div className="row spread">
        <h2>{serial}</h2>
        <Button look="plain small" aria-label="Close" onPress={onClose}>
          <Icon name="close" />
        </Button>
      </div>
      <Facts
        facts={{
          Place: <Copied text={place} of="coordinates" />,
          Located: <Time at={at} />,
          Circle: `${metersText(radiusAt(position, percent))}, holds it in ${String(percent)} % of cases`,
          ...heightFacts(position),
          'Found by': (
            <>
              {METHODS[fulfilledWith].text}
              {fallback && <span className="badge attention">fallback provider</span>}
              <small>
                {fallback
                  ? 'No position was known here: the provider was asked.'
                  : EXPLANATIONS[fulfilledWith]}
              </small>
            </>
          ),
          'Last 24 hours': track.count === undefined ? '…' : counted(track.count, 'position'),
        }}
      />
      <div className="row">
        <Link className="button small" to={deviceAddress(organization, project, serial)}>
          Open the device
        </Link>
        <CopyButton text={geo} of="the geo URI" label="Copy geo URI" look="small" />
        <Link className="button small" to={addressOf(TRY, organization, project)}>
          Explain a scan
        </Link>
        <a className="button small" href="/docs/how-positions-are-found">
          How positions are found
        </a>
      </div>
    </section>
  )
}
