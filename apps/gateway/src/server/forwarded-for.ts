const IPV4_PORT = /^(?<host>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
/** An IPv6 address in brackets, with or without a port. */
const BRACKETED = /^\[(?<host>[0-9a-f:.]+)\](?::\d{1,5})?$/i

/**
 * Removes the ports that some load balancers add to the addresses of `X-Forwarded-For`. With its port, a client would count as a
 * new one with every connection.
 */
export function withoutPorts(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => (IPV4_PORT.exec(entry) ?? BRACKETED.exec(entry))?.groups?.['host'] ?? entry)
    .join(', ')
}
