import { Module } from '@nestjs/common'
import { Erasure } from './erasure.js'
import { ForgetAccessPoint } from './forget-access-point.js'
import { ForgetArea } from './forget-area.js'
import { ForgetCell } from './forget-cell.js'
import { SweepWorker } from './sweep-worker.js'
import { EraseTenant } from './tenants/erase-tenant.js'

/**
 * Permanent erasure of stations and areas from a layer. An operation writes tombstones, which hide everything immediately; a sweep
 * then removes it from learned, contributed and stored data. Nobody may delete tombstones. `tenants` erases
 * what location has of organizations and projects. It imports `ground`.
 */
@Module({
  controllers: [ForgetAccessPoint, ForgetArea, ForgetCell, EraseTenant],
  providers: [Erasure, SweepWorker],
})
export class ErasureModule {}
