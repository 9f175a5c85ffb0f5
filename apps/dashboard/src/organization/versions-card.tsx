import { Link } from '@tanstack/react-router'
import { addressOf } from '../ground/address-of.js'
import { count } from '../ground/amounts.js'
import { useScope } from '../ground/scope.js'
import { Card } from '../parts/page.js'
import { shareText, type Overview } from './overview.js'

const DEVICES = '/o/$organization/p/$project/devices'

/** Software versions by the share of devices that have them. With one project they lead to its devices. */
export function VersionsCard({ overview }: { readonly overview: Overview }) {
  const { organizationSlug } = useScope()
  const { software_versions: versions, devices, projects } = overview
  const [only, ...others] = projects
  if (devices.count === 0) return null
  return (
    <Card title="Software versions">
      <dl className="shares">
        {versions.map(({ software_version: version, devices: amount }) => (
          <div key={version ?? ''}>
            <dt>
              {version !== null && only && others.length === 0 ? (
                <Link
                  to={addressOf(DEVICES, organizationSlug, only.slug)}
                  search={{ software_version: version }}
                >
                  {version}
                </Link>
              ) : (
                (version ?? 'not said')
              )}
            </dt>
            <dd>
              <meter
                aria-label={`Devices with ${version ?? 'no version'}`}
                min={0}
                max={devices.count}
                value={amount}
              />
              {count(amount)} <small>{shareText(amount, devices.count)}</small>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
