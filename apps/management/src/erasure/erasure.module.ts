import { Module } from '@nestjs/common'
import { IngestWing } from '../ingest/ingest.module.js'
import { DeleteDevice } from './delete-device.js'

/**
 * Erasure of a device with everything stored about it: chunks, dead letters, files, deliveries, and its positions in the
 * location service. It may touch the data of every wing, so it is at the top and imports all of them.
 */
@Module({ imports: [IngestWing], controllers: [DeleteDevice] })
export class ErasureWing {}
