import {
  MAX_REPORTED_USES,
  MAX_USER_AGENT_LENGTH,
  recordTokenUses,
} from '@bearing/contracts/identity/tokens/organization-token'
import { NatsClient } from '@bearing/nats/client'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../config.js'
import { USES_TIMEOUT_MS, UseReport } from './batch-report.js'

/** The limit of the contract. An IP address is shorter, but a proxy may send any text. */
const MAX_ADDRESS_LENGTH = 64
/** Tokens whose last use waits for the next report, at about 500 bytes each. */
const MAX_NOTED = 20_000

interface Use {
  readonly usedAtMs: number
  readonly address: string
  readonly user_agent: string | null
}

/** Reports to identity when and from where organization tokens were last used. A request only pays for memory. */
@Injectable()
export class TokenUses extends UseReport<Use> {
  constructor(
    private readonly client: NatsClient,
    @Inject(SETTINGS) { REPORT_INTERVAL_MS }: Settings,
    @Inject(LOGGER) logger: Logger,
  ) {
    super(REPORT_INTERVAL_MS, 'organization tokens', logger, MAX_NOTED, MAX_REPORTED_USES)
  }

  note(credentialId: string, address: string, userAgent: string | undefined): void {
    this.uses.set(credentialId, {
      usedAtMs: Date.now(),
      address: address.slice(0, MAX_ADDRESS_LENGTH),
      user_agent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
    })
  }

  protected async send(batch: readonly (readonly [string, Use])[]): Promise<void> {
    const uses = batch.map(([id, { usedAtMs, ...use }]) => ({
      organization_token_id: id,
      used_at: new Date(usedAtMs).toISOString(),
      ...use,
    }))
    await this.client.call(recordTokenUses, { uses }, { timeoutMs: USES_TIMEOUT_MS })
  }
}
