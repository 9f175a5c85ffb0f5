import { ORGANIZATION_TOKEN, type Principal } from '@bearing/contracts/principal'

/**
 * When the credential of a principal ends.
 *
 * @returns milliseconds since 1970; undefined where it has no end
 */
export function expiryMs(principal: Principal): number | undefined {
  switch (principal.kind) {
    case ORGANIZATION_TOKEN:
      return principal.expires_at === null ? undefined : Date.parse(principal.expires_at)
    case 'user':
    case 'project_key':
      return principal.expires_at === undefined ? undefined : Date.parse(principal.expires_at)
    case 'service':
      return undefined
  }
}

/** Whether the credential of a principal has ended: from the very moment on that was said. */
export function hasExpired(principal: Principal, nowMs: number): boolean {
  const endMs = expiryMs(principal)
  return endMs !== undefined && endMs <= nowMs
}
