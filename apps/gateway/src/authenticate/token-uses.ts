import { atMost } from '@bearing/client-nats/at-most'
import {
  MAX_TOLD_USES,
  MAX_USER_AGENT_LENGTH,
  recordTokenUses,
} from '@bearing/contracts/identity/organization-token'
import type { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/logger'
import { LRUCache } from 'lru-cache'
import { Telling } from './batch-report.js'

/** What the contract takes; an address is shorter, but a proxy may hand on anything. */
const MAX_ADDRESS_LENGTH = 64
/** Tokens whose last use is kept until it is told, at about 500 bytes each; the longest unused ones go first. */
const MAX_KEPT = 20_000
/** How long identity may take for one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 2_000

interface Use {
  readonly usedAtMs: number
  readonly address: string
  readonly user_agent: string | null
}

/**
 * When and from where organization tokens were last used. Noting it costs a request nothing but memory; identity is
 * told in batches.
 */
export class TokenUses {
  readonly telling: Telling
  private readonly uses = new LRUCache<string, Use>(atMost(MAX_KEPT))

  constructor(
    private readonly client: NatsClient,
    logger: Logger,
    private readonly now: () => number = Date.now,
  ) {
    this.telling = new Telling(() => this.tellNoted(), 'uses of organization tokens', logger)
  }

  /** Notes a use. */
  note(credentialId: string, address: string, userAgent: string | undefined): void {
    this.uses.set(credentialId, {
      usedAtMs: this.now(),
      address: address.slice(0, MAX_ADDRESS_LENGTH),
      user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
  }

  private async tellNoted(): Promise<void> {
    const entries = [...this.uses.entries()]
    for (let at = 0; at < entries.length; at += MAX_TOLD_USES)
      await this.tellBatch(entries.slice(at, at + MAX_TOLD_USES))
  }

  private async tellBatch(batch: readonly (readonly [string, Use])[]): Promise<void> {
    const uses = batch.map(([id, { usedAtMs, ...use }]) => ({
      organization_token_id: id,
      used_at: new Date(usedAtMs).toISOString(),
      ...use,
    }))
    await this.client.call(recordTokenUses, { uses }, { timeoutMs: TIMEOUT_MS })
    // What was used again meanwhile is told the next time.
    for (const [id, use] of batch) if (this.uses.peek(id) === use) this.uses.delete(id)
  }
}
