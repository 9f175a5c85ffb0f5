import {
  connectNats,
  IdentityClient,
  membershipChanged,
  onEvent,
  OperationError,
  organizationTokenExpiring,
  userDeleted,
} from '@bearing/client-nats'

/** A service that gives organization tokens the invoices of their organization. */
export async function startBilling(nats: { url: string; nkeySeed: string; name: string }) {
  const connection = await connectNats(nats)
  const identity = new IdentityClient(connection) // caches, evicts on events, combines equal lookups
  const events: string[] = []
  const note = (what: string) => events.push(what)
  const unread = (error: unknown) => note(`an event could not be read: ${String(error)}`)

  onEvent(connection, userDeleted, ({ user_id }) => note(`user ${user_id} is gone`), unread)
  onEvent(
    connection,
    membershipChanged,
    ({ user_id, role }) => note(`${user_id} is ${role ?? 'out'}`),
    unread,
  )
  onEvent(
    connection,
    organizationTokenExpiring,
    ({ organization_token_id, days_left }) => note(`${organization_token_id} ends in ${days_left} days`),
    unread,
  )

  return {
    events,
    /** The HTTP status to answer with. */
    async mayRead(organization_id: string, token: string, client_address: string): Promise<number> {
      try {
        const decision = await identity.authorize({
          credential: { kind: 'organization_token', token },
          permission: 'project:list',
          organization_id,
          client_address,
        })
        if (decision.allowed) return 200
        return decision.code.startsWith('credential_') ? 401 : 403
      } catch (error) {
        if (error instanceof OperationError && error.status === 503) return 503 // unavailable: never 401
        throw error
      }
    },
    /** Claims about a caller for this service, which verifies them offline wherever they are passed on to. */
    async claimsOf(token: string): Promise<string | undefined> {
      const credential = { kind: 'organization_token', token } as const
      const seen = await identity.introspect(credential)
      if (!seen.active) return undefined
      const claims = await identity.claimsOf(credential, seen, { audience: nats.name })
      return typeof claims === 'string' ? claims : undefined // revoked a moment ago
    },
    /** Returns the sender of a call that came through the gateway: its header `Bearing-Identity`, verified without asking. */
    whoIs: (claims: string) => identity.verifyClaims(claims),
    stop: () => connection.drain(),
  }
}
