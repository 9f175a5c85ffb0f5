import { Module } from '@nestjs/common'
import { AuthenticateModule } from './authenticate/authenticate.module.js'
import { AuthorizeModule } from './authorize/authorize.module.js'
import { ChunksModule } from './chunks/chunks.module.js'
import { DashboardModule } from './dashboard/dashboard.module.js'
import { ForwardModule } from './forward/forward.module.js'
import { GeosubmitModule } from './geosubmit/geosubmit.module.js'
import { GroundModule } from './ground/ground.module.js'
import { PassThroughModule } from './pass-through/pass-through.module.js'
import { ProblemsModule } from './problems/problems.module.js'
import { ReferenceModule } from './reference/reference.module.js'
import { ServerModule } from './server/server.module.js'
import { SessionsModule } from './sessions/sessions.module.js'
import { UploadsModule } from './uploads/uploads.module.js'

/** The wings of the gateway. */
@Module({
  imports: [
    UploadsModule,
    ChunksModule,
    GeosubmitModule,
    SessionsModule,
    ReferenceModule,
    DashboardModule,
    ForwardModule,
    PassThroughModule,
    AuthorizeModule,
    AuthenticateModule,
    ServerModule,
    ProblemsModule,
    GroundModule,
  ],
})
export class GatewayModule {}
