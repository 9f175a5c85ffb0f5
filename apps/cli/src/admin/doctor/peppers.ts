import { reportPeppers } from '@bearing/contracts/identity/credentials/pepper'
import type { Output } from '@bearing/contracts/operation'
import { counted } from '../../output/format.js'
import type { Check } from './check.js'

type Pepper = Output<typeof reportPeppers>['peppers'][number]

/** Counts the credentials of each pepper: an old pepper is needed while credentials use it. */
export const peppers: Check = {
  name: 'peppers',
  run: async ({ operator }) => {
    const { current, peppers } = await operator.call(reportPeppers, {})
    return peppers.map((pepper) => ({
      subject: `pepper ${pepper.id}`,
      ok: pepper.configured || credentialsUnder(pepper) === 0,
      detail: describePepper(pepper, pepper.id === current),
      data: { ...pepper, current: pepper.id === current },
    }))
  },
}

/** Counts the credentials that could not be verified without a pepper. */
export function credentialsUnder(pepper: Pepper): number {
  const { organization_tokens, user_keys } = pepper
  const { sessions = 0, second_factors = 0, sso_connections = 0 } = pepper
  return organization_tokens + user_keys + sessions + second_factors + sso_connections
}

function describePepper(pepper: Pepper, isCurrent: boolean): string {
  const credentials = counted(credentialsUnder(pepper), 'credential')
  if (!pepper.configured) return `${credentials} receive 503: put the pepper back into IDENTITY_PEPPERS`
  if (isCurrent) return `${credentials}, and all new ones`
  return credentialsUnder(pepper) === 0
    ? 'no longer needed: bearing admin peppers retire'
    : `${credentials} still ${credentialsUnder(pepper) === 1 ? 'uses' : 'use'} this old one; a credential moves when it is used`
}
