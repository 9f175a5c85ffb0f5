/** What decides over the state of an organization token. */
export interface TokenLife {
  readonly expiresAt: Date | null
  readonly deletedAt: Date | null
}

/** The state of an organization token: deleted before all, and expired from the very moment on that was said. */
export function tokenState({ expiresAt, deletedAt }: TokenLife, now: Date): 'active' | 'expired' | 'deleted' {
  if (deletedAt) return 'deleted'
  return expiresAt && expiresAt.getTime() <= now.getTime() ? 'expired' : 'active'
}
