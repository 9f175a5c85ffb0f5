import { promises as dns } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface NamedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Sources of names (default: those of the system). */
export interface NameSources {
  /** IP addresses of name servers, with a port if it is not 53. */
  readonly servers?: readonly string[]
  /** See hosts(5). */
  readonly hostsFile?: string
}

/** Timeout of the first of two queries, in milliseconds. */
const TIMEOUT_MS = 2_000
/** Wait for addresses of the second family, in milliseconds: some name servers never respond for it. */
const GRACE_MS = 300
/** Addresses of one family to use: a name may have thousands. */
const MOST = 16
/** Cache time of the hosts file, in milliseconds. */
const HOSTS_FOR_MS = 5_000

/**
 * Resolves names that customers chose. The resolver of the operating system blocks one of few threads for each name, so names that
 * never resolve would block all others. This one sends a query, and ends it with the signal.
 *
 * Uses the hosts file and then DNS. Search domains and other sources are ignored.
 */
export class Names {
  private hosts: Promise<ReadonlyMap<string, readonly NamedAddress[]>> | undefined
  private readAtMs = -Infinity

  constructor(private readonly sources: NameSources = {}) {}

  /**
   * Returns the addresses of a name, IPv4 first.
   *
   * @throws Error if there is none, a query fails, or the signal aborts
   */
  async lookUp(hostname: string, signal: AbortSignal): Promise<readonly NamedAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = (await this.knownHosts()).get(name)
    if (known) return known
    // Never sent to a name server (RFC 6761 §6.3).
    if (/(^|\.)localhost$/.test(name))
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]
    return this.ask(name, signal)
  }

  private async ask(name: string, signal: AbortSignal): Promise<readonly NamedAddress[]> {
    signal.throwIfAborted()
    // One resolver for each name: it can be canceled alone, and uses the current name servers of the system.
    const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 })
    if (this.sources.servers) resolver.setServers(this.sources.servers)
    const over = new AbortController()
    const cancel = () => {
      resolver.cancel()
    }
    signal.addEventListener('abort', cancel)
    const found: { 4: readonly NamedAddress[]; 6: readonly NamedAddress[] } = { 4: [], 6: [] }
    const note = (family: 4 | 6) => (addresses: readonly string[]) => {
      found[family] = addresses.slice(0, MOST).map((address) => ({ address, family }))
    }
    try {
      const questions = [resolver.resolve4(name).then(note(4)), resolver.resolve6(name).then(note(6))]
      await Promise.any(questions)
      const late = sleep(GRACE_MS, undefined, { signal: over.signal }).catch(() => undefined)
      await Promise.race([Promise.allSettled(questions), late])
      return [...found[4], ...found[6]]
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    } finally {
      signal.removeEventListener('abort', cancel)
      over.abort()
      cancel()
    }
  }

  private knownHosts(): Promise<ReadonlyMap<string, readonly NamedAddress[]>> {
    const nowMs = performance.now()
    if (!this.hosts || nowMs - this.readAtMs > HOSTS_FOR_MS) {
      this.readAtMs = nowMs
      this.hosts = readFile(this.sources.hostsFile ?? '/etc/hosts', 'utf8').then(readHosts, () => new Map())
    }
    return this.hosts
  }
}

/** Parses hosts(5). Lines without an IP address are ignored. */
function readHosts(text: string): ReadonlyMap<string, readonly NamedAddress[]> {
  const hosts = new Map<string, NamedAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    // An address with a zone is valid on one link only.
    if ((family !== 4 && family !== 6) || address.includes('%')) continue
    for (const name of names) {
      const key = name.toLowerCase()
      const others = hosts.get(key) ?? []
      hosts.set(
        key,
        [...others, { address, family } as const].sort((a, b) => a.family - b.family),
      )
    }
  }
  return hosts
}
