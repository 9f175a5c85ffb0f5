import {
  MAX_REPORTED_USES,
  MAX_USER_AGENT_LENGTH,
  recordTokenUses,
} from '@bearing/contracts/identity/tokens/organization-token'
import type { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { Cache } from '@bearing/client-nats/cache'
import { BatchReport } from './batch-report.js'

/** The limit of the contract. An IP address is shorter, but a proxy may send any text. */
const MAX_ADDRESS_LENGTH = 64
/** Tokens whose last use waits for the next report, at about 500 bytes each. */
const MAX_NOTED = 20_000
/** The timeout of one batch, in milliseconds: a shutdown waits for it. */
const TIMEOUT_MS = 2_000

interface Use {
  readonly usedAtMs: number
  readonly address: string
  readonly user_agent: string | null
}

/** Reports to identity when and from where organization tokens were last used. A request only pays for memory. */
export class TokenUses extends BatchReport {
  private readonly uses = new Cache<Use>(MAX_NOTED)

  constructor(
    private readonly client: NatsClient,
    intervalMs: number,
    logger: Logger,
    private readonly now: () => number = Date.now,
  ) {
    super(intervalMs, 'uses of organization tokens are reported later', logger)
  }

  note(credentialId: string, address: string, userAgent: string | undefined): void {
    this.uses.set(credentialId, {
      usedAtMs: this.now(),
      address: address.slice(0, MAX_ADDRESS_LENGTH),
      user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
  }

  protected async report(): Promise<void> {
    const entries = [...this.uses.entries()]
    for (let at = 0; at < entries.length; at += MAX_REPORTED_USES)
      await this.reportBatch(entries.slice(at, at + MAX_REPORTED_USES))
  }

  private async reportBatch(batch: readonly (readonly [string, Use])[]): Promise<void> {
    const uses = batch.map(([id, { usedAtMs, ...use }]) => ({
      organization_token_id: id,
      used_at: new Date(usedAtMs).toISOString(),
      ...use,
    }))
    await this.client.call(recordTokenUses, { uses }, { timeoutMs: TIMEOUT_MS })
    // A token that was used again meanwhile is reported the next time.
    for (const [id, use] of batch) if (this.uses.peek(id) === use) this.uses.delete(id)
  }
}
