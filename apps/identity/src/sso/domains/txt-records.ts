import { promises as dns } from 'node:dns'

/** Timeout of one DNS query, in milliseconds. Each is sent twice. */
const TIMEOUT_MS = 3_000

/** Reads the TXT records of domains. */
export class TxtRecords {
  private readonly resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 })

  /** @param servers IP addresses of name servers, with port if not 53 (default: those of the machine) */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /** Returns the TXT records of a domain; none if it does not exist. @throws Error if name servers do not respond */
  async read(domain: string): Promise<string[]> {
    try {
      const records = await this.resolver.resolveTxt(domain)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException // node:dns rejects with these
      if (code === dns.NODATA || code === dns.NOTFOUND) return []
      throw error
    }
  }
}
