import { promises as dns } from 'node:dns'

/** One question takes at most so long, in milliseconds, and is asked twice. */
const TIMEOUT_MS = 3_000

/** Reads the TXT records of domains. */
export class TxtRecords {
  private readonly resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 })

  /** @param servers addresses of name servers, with a port where it is not 53; none: those of the machine */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /**
   * The texts of a domain's records. None where there is no such domain.
   *
   * @throws Error where it cannot be told
   */
  async of(domain: string): Promise<string[]> {
    try {
      const records = await this.resolver.resolveTxt(domain)
      return records.map((parts) => parts.join(''))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException // what node:dns rejects with
      if (code === dns.NODATA || code === dns.NOTFOUND) return []
      throw error
    }
  }
}
