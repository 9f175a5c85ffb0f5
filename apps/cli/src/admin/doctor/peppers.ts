import { reportPeppers } from '@bearing/contracts/identity/pepper'
import type { Output } from '@bearing/contracts/operation'
import { counted } from '../../output/format.js'
import type { Check } from './check.js'

type Pepper = Output<typeof reportPeppers>['peppers'][number]

/** Counts the credentials under each pepper: what is under an old one keeps it from being taken away. */
export const peppers: Check = {
  name: 'peppers',
  run: async ({ operator }) => {
    const { current, peppers } = await operator.call(reportPeppers, {})
    return peppers.map((pepper) => ({
      subject: `pepper ${pepper.id}`,
      ok: pepper.configured || credentialsUnder(pepper) === 0,
      detail: tell(pepper, pepper.id === current),
      data: { ...pepper, current: pepper.id === current },
    }))
  },
}

/** How many credentials could not be checked without a pepper. */
export function credentialsUnder(pepper: Pepper): number {
  const { organization_tokens, user_keys } = pepper
  const { sessions = 0, second_factors = 0, sso_connections = 0 } = pepper
  return organization_tokens + user_keys + sessions + second_factors + sso_connections
}

function tell(pepper: Pepper, isCurrent: boolean): string {
  const credentials = counted(credentialsUnder(pepper), 'credential')
  if (!pepper.configured) return `${credentials} answered with 503: put the pepper back into IDENTITY_PEPPERS`
  if (isCurrent) return `${credentials}, and every new one`
  return credentialsUnder(pepper) === 0
    ? 'not needed any more: bearing admin peppers retire'
    : `${credentials} still under this old one; they move when they are used`
}
