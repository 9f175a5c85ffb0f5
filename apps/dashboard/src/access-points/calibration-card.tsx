import type { CallOutput } from '@bearing/client/call-types'
import { useQuery } from '@tanstack/react-query'
import { count } from '../ground/amounts.js'
import { client } from '../ground/client.js'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Time } from '../parts/time.js'

type Calibration = CallOutput<'showCalibration'>

/** Shares between which a radius holds as promised: those of the accuracy goals. */
const HOLDS = { p68: [0.55, 0.85], p95: [0.9, 1] } as const

/** Whether the radii of positions hold what they promise, measured on the organization's own scans. */
export function CalibrationCard() {
  const { organizationSlug: organization } = useScope()
  const calibration = useQuery({
    queryKey: ['calibration', organization],
    queryFn: ({ signal }) => client.call('showCalibration', { organization }, { signal }),
  })
  return (
    <Card
      title="Do the radii hold?"
      about="Your own scans with known positions, each located from the others."
    >
      <Loaded query={calibration}>
        {(found) => (found.held === null ? <NotYet calibration={found} /> : <Held calibration={found} />)}
      </Loaded>
    </Card>
  )
}

function Held({ calibration }: { readonly calibration: Calibration }) {
  const { held, source, scans, outcomes, fitted_at } = calibration
  const used = held?.[source]
  if (!used) return null
  return (
    <>
      <dl className="facts">
        {(['p68', 'p95'] as const).map((radius) => {
          const share = used[radius]
          const [least, most] = HOLDS[radius]
          const isHeld = share >= least && share <= most
          return (
            <Promised
              key={radius}
              promised={radius === 'p68' ? '68 %' : '95 %'}
              share={share}
              isHeld={isHeld}
            />
          )
        })}
      </dl>
      <p className="quiet">
        {count(outcomes)} of {count(scans)} scans could be located
        {fitted_at !== null && (
          <>
            , <Time at={fitted_at} />
          </>
        )}
        . The radii are {source === 'own' ? 'fitted to these scans' : 'those that Bearing comes with'}.
      </p>
    </>
  )
}

function Promised({
  promised,
  share,
  isHeld,
}: {
  readonly promised: string
  readonly share: number
  readonly isHeld: boolean
}) {
  const text = `${(100 * share).toFixed(1)} %`
  return (
    <>
      <dt>Promised {promised}</dt>
      <dd>
        <meter aria-label={`Measured for ${promised}`} min={0} max={1} value={share} />
        {text} measured
        <span className={isHeld ? 'badge good' : 'badge attention'}>{isHeld ? 'holds' : 'is off'}</span>
      </dd>
    </>
  )
}

function NotYet({ calibration: { outcomes, needed } }: { readonly calibration: Calibration }) {
  const { organizationSlug, projectSlug } = useScope()
  const config = useQuery(installation)
  return (
    <>
      <p>
        Not measured yet: {count(outcomes)} of the {count(needed)} scans with known positions that this needs.
        Until then the radii are those that Bearing comes with.
      </p>
      <Command
        text={`bearing --url ${config.data?.public_url ?? ''} --org ${organizationSlug} --project ${projectSlug} observations submit scans.jsonl`}
      />
    </>
  )
}
