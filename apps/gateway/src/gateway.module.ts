import { Module } from '@nestjs/common'
import { AuthenticateWing } from './authenticate/authenticate.module.js'
import { AuthorizeWing } from './authorize/authorize.module.js'
import { ChunksWing } from './chunks/chunks.module.js'
import { DashboardWing } from './dashboard/dashboard.module.js'
import { ForwardWing } from './forward/forward.module.js'
import { GeosubmitWing } from './geosubmit/geosubmit.module.js'
import { GroundWing } from './ground/ground.module.js'
import { ProblemsWing } from './problems/problems.module.js'
import { ReferenceWing } from './reference/reference.module.js'
import { ServerWing } from './server/server.module.js'
import { SessionsWing } from './sessions/sessions.module.js'
import { UploadsWing } from './uploads/uploads.module.js'

/** The wings of the gateway. */
@Module({
  imports: [
    UploadsWing,
    ChunksWing,
    GeosubmitWing,
    SessionsWing,
    ReferenceWing,
    DashboardWing,
    ForwardWing,
    AuthorizeWing,
    AuthenticateWing,
    ServerWing,
    ProblemsWing,
    GroundWing,
  ],
})
export class GatewayModule {}
