import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'

/** Returns when the credential of a principal expires, in milliseconds since 1970; undefined if it does not. */
export function expiryMs(principal: Principal): number | undefined {
  switch (principal.kind) {
    case ORGANIZATION_TOKEN:
      return principal.expires_at === null ? undefined : Date.parse(principal.expires_at)
    case 'user':
    case 'project_key':
    case 'device':
      return principal.expires_at === undefined ? undefined : Date.parse(principal.expires_at)
    case 'service':
      return undefined
  }
}

export function hasExpired(principal: Principal, nowMs: number): boolean {
  const endMs = expiryMs(principal)
  return endMs !== undefined && endMs <= nowMs
}
