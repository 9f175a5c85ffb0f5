import { getJwks } from '@bearing/contracts/identity/credentials/jwks'
import { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import type { BearingOptions } from './options.js'
import { readKeys } from './verifier.js'

const TIMEOUT_MS = 1_000

/** Health indicator of `@nestjs/terminus`: checks that callers can be verified. */
export class BearingHealth {
  constructor(
    private readonly options: BearingOptions,
    private readonly connection: Connection | undefined,
  ) {}

  async isHealthy<Key extends string>(
    key: Key,
  ): Promise<Record<Key, { status: 'up' | 'down'; message?: string }>> {
    try {
      await this.check()
      return { [key]: { status: 'up' } } as Record<Key, { status: 'up' }>
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { [key]: { status: 'down', message } } as Record<Key, { status: 'down'; message: string }>
    }
  }

  private async check(): Promise<void> {
    if (this.connection) await new NatsClient(this.connection).call(getJwks, {}, { timeoutMs: TIMEOUT_MS })
    else if ('jwksUrl' in this.options) await readKeys(this.options.jwksUrl)
  }
}
