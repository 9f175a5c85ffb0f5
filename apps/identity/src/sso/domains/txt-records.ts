import { promises as dns } from 'node:dns'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** Timeout of one DNS query, in milliseconds. Each is sent twice. */
const TIMEOUT_MS = 3_000

/** Reads the TXT records of domains. */
@Injectable()
export class TxtRecords {
  private readonly resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 2 })

  constructor(@Inject(SETTINGS) { DNS_SERVERS }: Settings) {
    if (DNS_SERVERS.length > 0) this.resolver.setServers(DNS_SERVERS)
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
