import { Module } from '@nestjs/common'
import { ChangePositionPolicy } from './change-position-policy.js'
import { DeleteDevicePositions } from './delete-device-positions.js'
import { EraseDevicePositions } from './erase-device-positions.js'
import { ListDevicePositions } from './list-device-positions.js'
import { ListLatestPositions } from './list-latest-positions.js'
import { PositionStore } from './position-store.js'
import { RecordReading } from './record-reading.js'
import { ResolvedAnswer } from './resolved-answer.js'
import { ShowDevicePosition } from './show-device-position.js'
import { ShowPositionPolicy } from './show-position-policy.js'
import { SweepPositions } from './sweep-positions.js'

/**
 * Positions of devices, stored for projects that opted in, and their retention. Higher wings answer callers through
 * {@link ResolvedAnswer}, which stores the position first. It imports `ground`.
 */
@Module({
  controllers: [
    ChangePositionPolicy,
    DeleteDevicePositions,
    EraseDevicePositions,
    ListDevicePositions,
    ListLatestPositions,
    ShowDevicePosition,
    ShowPositionPolicy,
  ],
  providers: [PositionStore, RecordReading, ResolvedAnswer, SweepPositions],
  exports: [ResolvedAnswer],
})
export class PositionsModule {}
