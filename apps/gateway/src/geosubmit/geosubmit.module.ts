import { Module } from '@nestjs/common'
import { ForwardModule } from '../forward/forward.module.js'
import { GeosubmitRoute } from './geosubmit-route.js'

/**
 * Receives observations from clients of public geolocation services, up to 12 MiB, and forwards them to location in parts.
 * May import `forward` and lower wings.
 */
@Module({ imports: [ForwardModule], controllers: [GeosubmitRoute] })
export class GeosubmitModule {}
