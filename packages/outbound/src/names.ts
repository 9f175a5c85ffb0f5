import { promises as dns } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** An address that a name stands for. */
export interface NamedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Where names are looked up; what is left out is as this machine has it. */
export interface NameSources {
  /** Addresses of name servers, with a port where it is not 53. */
  readonly servers?: readonly string[]
  /** As hosts(5). */
  readonly hostsFile?: string
}

/** One question to a name server takes at most so long at first, in milliseconds, and is asked twice. */
const TIMEOUT_MS = 2_000
/** After the answer for addresses of one kind, that for the other has so long, in milliseconds: some name servers never give it. */
const GRACE_MS = 300
/** Addresses of one kind that are looked at: more are not needed, and a name may have thousands. */
const MOST = 16
/** The hosts file is read again after so long, in milliseconds. */
const HOSTS_FOR_MS = 5_000

/**
 * Looks up names that customers have chosen. Not by the resolver of the operating system: that occupies a thread for each name, of
 * which a process has a few, until it gives up, so that names that never resolve stop everything else that is named. Here nothing
 * but a question to a name server is open, and it ends with the signal.
 *
 * Names are looked for in the hosts file and then asked for as they are: neither search domains nor any other source count.
 */
export class Names {
  private hosts: Promise<ReadonlyMap<string, readonly NamedAddress[]>> | undefined
  private readAtMs = -Infinity

  constructor(private readonly sources: NameSources = {}) {}

  /**
   * The addresses of a name, those of IPv4 first.
   *
   * @throws Error where there is none, or it cannot be told, or the signal came
   */
  async lookUp(hostname: string, signal: AbortSignal): Promise<readonly NamedAddress[]> {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = (await this.knownHosts()).get(name)
    if (known) return known
    // RFC 6761 §6.3: no name server is asked for these.
    if (/(^|\.)localhost$/.test(name))
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]
    return this.ask(name, signal)
  }

  private async ask(name: string, signal: AbortSignal): Promise<readonly NamedAddress[]> {
    signal.throwIfAborted()
    // One for each name: it can be cancelled alone, and goes by what the machine's name servers are now.
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

/** hosts(5): an address, and the names that it has; `#` begins a comment. What is no address is passed over. */
function readHosts(text: string): ReadonlyMap<string, readonly NamedAddress[]> {
  const hosts = new Map<string, NamedAddress[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    // One with a zone is of a single link.
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
