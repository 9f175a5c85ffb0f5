import { isDeepStrictEqual } from 'node:util'
import { LOGGER } from '@bearing/service/run/runtime-module'
import type { Logger } from '@bearing/service/observe/logger'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { OpenidProvider } from './openid-provider.js'
import { ProviderMetadata } from './provider-metadata.js'

/** Time that a sign-on waits for the provider's metadata before it starts with the stored metadata, in milliseconds. */
const WAIT_MS = 2_000
/** Concurrent reads. Beyond that, sign-ons start with the stored metadata. */
const MAX_READS = 32

interface Connection {
  readonly id: string
  readonly issuer: string
  readonly metadata: unknown
}

/**
 * Reads the metadata of a provider again for every sign-on, and stores them if they have changed: a provider that changes its
 * algorithm, keys or endpoints would otherwise lock out everyone. Concurrent sign-ons of a connection share one read.
 */
@Injectable()
export class CurrentMetadata {
  private readonly reads = new Map<string, Promise<ProviderMetadata>>()
  private readonly failed: (error: unknown) => void

  constructor(
    private readonly database: Database,
    private readonly provider: OpenidProvider,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.failed = warnSeldom(logger, 'metadata of an identity provider cannot be read; using the stored ones')
  }

  /** Returns the current metadata, or the stored ones if the provider does not return usable ones in time. */
  async of(connection: Connection): Promise<ProviderMetadata> {
    const stored = ProviderMetadata.parse(connection.metadata)
    const read = this.reads.get(connection.id) ?? this.begin(connection, stored)
    if (!read) return stored
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<ProviderMetadata>((resolve) => {
      timer = setTimeout(() => {
        resolve(stored)
      }, WAIT_MS)
    })
    return Promise.race([read, late]).finally(() => {
      clearTimeout(timer)
    })
  }

  private begin(connection: Connection, stored: ProviderMetadata): Promise<ProviderMetadata> | undefined {
    if (this.reads.size >= MAX_READS) return undefined
    const read = this.read(connection, stored)
      .catch((error: unknown) => {
        this.failed(error)
        return stored
      })
      .finally(() => this.reads.delete(connection.id))
    this.reads.set(connection.id, read)
    return read
  }

  private async read({ id, issuer }: Connection, stored: ProviderMetadata): Promise<ProviderMetadata> {
    const metadata = await this.provider.discover(issuer)
    if (!isDeepStrictEqual(metadata, stored))
      await this.database.ssoConnection.updateMany({ where: { id, issuer }, data: { metadata } })
    return metadata
  }
}
