import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addressOf, deviceAddress } from '../ground/address-of.js'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Card } from '../parts/page.js'
import { Time } from '../parts/time.js'
import { totalOf, type Overview } from './overview.js'
import { activeTokensOf } from './use-attention.js'

interface Step {
  readonly path: string
  readonly text: string
  readonly about: ReactNode
  readonly isDone: boolean
}

/** From nothing to a position on the map: what exists is ticked. Gone when all is done. */
export function GettingStarted({ overview }: { readonly overview: Overview }) {
  const { organizationSlug: organization } = useScope()
  const { hasToken, isKnown } = useHasToken()
  const [first] = overview.projects
  if (!first || !isKnown) return null
  const steps = stepsOf(overview, hasToken, first.slug, organization)
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card title="Getting started" about={`In the project ${first.name}.`}>
      <ol className="links">
        {steps.map(({ path, text, about, isDone }) => (
          <li key={path}>
            <span className="row">
              <span className={isDone ? 'badge good' : 'badge'}>{isDone ? '✓ done' : 'to do'}</span>
              <Link to={addressOf(path, organization, first.slug)}>{text}</Link>
            </span>
            <span className="quiet" role="status">
              {about}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function stepsOf(
  { latest_data: latest, lookups, has_access_points, has_positions, projects }: Overview,
  hasToken: boolean | undefined,
  project: string,
  organization: string,
): Step[] {
  const sender = projects.find(({ id }) => id === latest?.project_id)?.slug ?? project
  const step = (path: string, text: string, about: ReactNode, isDone: boolean) => ({
    path,
    text,
    about,
    isDone,
  })
  return [
    ...(hasToken === undefined
      ? []
      : [step('/o/$organization/admin/tokens', 'Create a token', 'for your backend or CI', hasToken)]),
    step(
      '/o/$organization/p/$project/settings/project-key',
      'Send a chunk',
      latest ? (
        <>
          <Link to={deviceAddress(organization, sender, latest.device_serial)}>{latest.device_serial}</Link>,{' '}
          <Time at={latest.at} />
        </>
      ) : (
        'waiting for your first chunk …'
      ),
      latest !== null,
    ),
    step(
      '/o/$organization/p/$project/location/imports',
      'Import access points',
      'from a file',
      has_access_points,
    ),
    step(
      '/o/$organization/p/$project/location/try',
      'Look up a position',
      'of a Wi-Fi scan',
      has_positions || totalOf(lookups) > 0,
    ),
    step('/o/$organization/p/$project/location', 'See your devices', 'on the map', has_positions),
  ]
}

/** Checks if the organization has a token. Undefined: the user may not know. */
function useHasToken(): { readonly hasToken: boolean | undefined; readonly isKnown: boolean } {
  const { organizationSlug: organization, refused } = useScope()
  const isOn = !refused('organization-token:read')
  const active = useQuery({ ...activeTokensOf(organization), enabled: isOn })
  const hasActive = (active.data?.length ?? 0) > 0
  const tokens = useQuery({
    ...calling(['tokens', organization, 'any'], 'listOrganizationTokens', { organization, per_page: 1 }),
    enabled: isOn && !active.isPending && !hasActive,
  })
  if (!isOn) return { hasToken: undefined, isKnown: true }
  return {
    hasToken: hasActive || (tokens.data?.data.length ?? 0) > 0,
    isKnown: hasActive || !tokens.isPending,
  }
}
