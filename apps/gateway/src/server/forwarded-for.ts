/** An IPv4 address with a port. */
const IPV4_PORT = /^(?<host>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/
/** An IPv6 address in brackets, with or without a port. */
const BRACKETED = /^\[(?<host>[0-9a-f:.]+)\](?::\d{1,5})?$/i

/**
 * The addresses of an `X-Forwarded-For` without the ports that some load balancers write after them: a client with its port
 * would be another one with every connection, and none to who counts and checks addresses.
 */
export function withoutPorts(forwardedFor: string): string {
  return forwardedFor
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => (IPV4_PORT.exec(entry) ?? BRACKETED.exec(entry))?.groups?.['host'] ?? entry)
    .join(', ')
}
