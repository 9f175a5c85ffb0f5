/** The moments that an invitation's state follows from. */
export interface InvitationMoments {
  readonly expiresAt: Date
  readonly acceptedAt: Date | null
  readonly revokedAt: Date | null
}

/** What has become of an invitation. One that had expired before it was replaced by another stays expired. */
export function invitationState(
  { expiresAt, acceptedAt, revokedAt }: InvitationMoments,
  now: Date,
): 'pending' | 'accepted' | 'revoked' | 'expired' {
  if (acceptedAt) return 'accepted'
  if (revokedAt && revokedAt < expiresAt) return 'revoked'
  return revokedAt || expiresAt <= now ? 'expired' : 'pending'
}
