import { useQuery } from '@tanstack/react-query'
import { useScope } from '../ground/scope.js'
import { tokenPolicyOf } from '../policies/policies.js'
import { EXPIRIES } from './expiry-select.js'

/** Says that a rule of the organization ends a token earlier than its form. */
export function LifetimeRule({ expiry }: { readonly expiry: string }) {
  const { organizationSlug: organization, refused } = useScope()
  const policy = useQuery({
    ...tokenPolicyOf(organization),
    enabled: !refused('organization-token-policy:read'),
  })
  const days = policy.data?.max_lifetime_days ?? null
  if (days === null || (expiry !== EXPIRIES.never && Number(expiry) <= days)) return null
  return (
    <p className="hint" role="status">
      A rule of the organization ends it after {days} {days === 1 ? 'day' : 'days'}.
    </p>
  )
}
