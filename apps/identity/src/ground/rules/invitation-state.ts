export interface InvitationMoments {
  readonly expiresAt: Date
  readonly acceptedAt: Date | null
  readonly revokedAt: Date | null
}

/** Returns the state of an invitation. One that had expired before another replaced it stays expired. */
export function invitationState(
  { expiresAt, acceptedAt, revokedAt }: InvitationMoments,
  now: Date,
): 'pending' | 'accepted' | 'revoked' | 'expired' {
  if (acceptedAt) return 'accepted'
  if (revokedAt && revokedAt < expiresAt) return 'revoked'
  return revokedAt || expiresAt <= now ? 'expired' : 'pending'
}
