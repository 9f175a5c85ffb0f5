export interface TokenLife {
  readonly expiresAt: Date | null
  readonly deletedAt: Date | null
}

/** Returns the state of an organization token. `deleted` takes precedence. */
export function tokenState({ expiresAt, deletedAt }: TokenLife, now: Date): 'active' | 'expired' | 'deleted' {
  if (deletedAt) return 'deleted'
  return expiresAt && expiresAt.getTime() <= now.getTime() ? 'expired' : 'active'
}
