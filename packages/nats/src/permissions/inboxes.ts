/** Stands for NATS itself, which answers what its users ask of JetStream. No service has this name. */
export const JETSTREAM = 'jetstream'
/** Stands for all services that answer `$SRV`. No service has this name. */
export const DISCOVERY = 'discovery'

/**
 * Returns the prefix of the inbox subjects in which a user receives the replies of a service: only that user may
 * subscribe there, and only that service may publish there.
 */
export function replyPrefix(user: string, service: string): string {
  return `_INBOX.${user}.${service}`
}

/** Returns true if a subject is an inbox where some user waits for replies of a service: see {@link replyPrefix}. */
export function isReplyInbox(subject: string | undefined, service: string): boolean {
  const [inbox, user, from, ...rest] = subject?.split('.', 4) ?? []
  return inbox === '_INBOX' && user !== '' && from === service && rest.length > 0
}

/** Returns the {@link replyPrefix} for the replies of NATS itself. */
export function jetstreamPrefix(user: string): string {
  return replyPrefix(user, JETSTREAM)
}
