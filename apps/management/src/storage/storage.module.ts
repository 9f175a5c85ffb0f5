import { Connection } from '@bearing/nats/connection'
import { ObjectStore } from '@bearing/nats/object-store'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { JetStreamStorage } from './jetstream-storage.js'
import { ChunkPayloads } from './payloads/chunk-payloads.js'
import { SweepPayloads } from './payloads/sweep-payloads.js'
import { Storages } from './storage.js'

/**
 * The storages of bytes, in JetStream or S3: `files` stores files there, `ingest` payloads of chunks (`payloads`), which `feed`
 * reads too. It imports `ground`.
 */
@Module({
  providers: [
    { provide: Storages, useFactory: openStorages, inject: [Connection, SETTINGS] },
    ChunkPayloads,
    SweepPayloads,
  ],
  exports: [ChunkPayloads, Storages, SweepPayloads],
})
export class StorageModule {}

/**
 * Opens the configured storages: S3 if there is a bucket, and always JetStream, which may contain older objects. The SDK of
 * S3 takes 34 MiB of memory, so it is loaded only if needed.
 */
async function openStorages(connection: Connection, settings: Settings): Promise<Storages> {
  const jetStream = new JetStreamStorage(new ObjectStore(connection))
  if (settings.S3_BUCKET === '') return new Storages(jetStream, [jetStream])
  const { S3Storage } = await import('./s3-storage.js')
  const s3 = new S3Storage({
    endpoint: settings.S3_ENDPOINT || undefined,
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    credentials: settings.S3_ACCESS_KEY,
  })
  return new Storages(s3, [s3, jetStream])
}
