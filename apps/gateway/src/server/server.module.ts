import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { BodyMemory } from './bodies/body-memory.js'

/**
 * The HTTP server below all routes: timeouts, forwarded addresses, security headers, graceful shutdown, the request log, the
 * memory for request bodies (`bodies/`), and the responder for the time before NATS is reachable. Knows nothing of
 * credentials beyond the caller of a request. May import `problems` and `ground`.
 */
@Module({
  providers: [
    {
      provide: BodyMemory,
      useFactory: (settings: Settings) => new BodyMemory(settings.BODY_MEMORY_BYTES),
      inject: [SETTINGS],
    },
  ],
})
export class ServerModule {}
