import type { Mistake } from '@bearing/contracts/errors'
import {
  platformOf,
  platformOfIssuer,
  type WorkloadPlatform,
} from '@bearing/contracts/identity/workloads/workload-platforms'
import { isExact } from './claim-values.js'

const MAX_STARS = 4

interface Wanted {
  readonly platform: WorkloadPlatform
  readonly issuer: string | undefined
  readonly claims: Readonly<Record<string, string>>
}

/** Returns the mistakes of a trust that its schema does not find: above all, that it would accept tokens of others. */
export function trustMistakes({ platform, issuer, claims }: Wanted): Mistake[] {
  return [
    ...(issuer === undefined && platformOf(platform).issuer === undefined
      ? [{ pointer: '/issuer', detail: 'is needed: every installation of this platform has its own' }]
      : []),
    ...Object.entries(claims).flatMap(([name, value]) => claimMistakes(name, value)),
    ...immutableMistakes(issuer === undefined ? platform : (platformOfIssuer(issuer) ?? platform), claims),
  ]
}

function claimMistakes(name: string, value: string): Mistake[] {
  const pointer = `/claims/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const stars = value.split('*').length - 1
  return [
    ...(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'].includes(name)
      ? [{ pointer, detail: 'must be left out: it is checked anyway, or differs in each token' }]
      : []),
    ...(stars > MAX_STARS ? [{ pointer, detail: `must have at most ${String(MAX_STARS)} times "*"` }] : []),
    ...(/^[*/:]+$/.test(value) && stars > 0
      ? [{ pointer, detail: 'must have characters beside "*": everything would match' }]
      : []),
  ]
}

function immutableMistakes(platform: WorkloadPlatform, claims: Wanted['claims']): Mistake[] {
  const { immutable, text, isPublic } = platformOf(platform)
  const isRequired = (name: string) => {
    const value = claims[name]
    return value !== undefined && isExact(value)
  }
  if (immutable.length === 0)
    return Object.keys(claims).some(isRequired)
      ? []
      : [
          {
            pointer: '/claims',
            detail: 'must have a claim with an exact value: every token of the issuer would match',
          },
        ]
  if (immutable.some((group) => group.every(isRequired))) return []
  const groups = immutable.map((group) => group.join(' and ')).join(', or ')
  const why = isPublic
    ? 'everyone can get tokens of this issuer, and names can be registered again by others'
    : 'names can be given to others'
  return [{ pointer: '/claims', detail: `must have ${groups} with an exact value for ${text}: ${why}` }]
}
