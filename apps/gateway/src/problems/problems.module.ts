import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import { APP_FILTER } from '@nestjs/core'
import type { Settings } from '../config.js'
import { ProblemFilter } from './problem-filter.js'

/**
 * Renders every error as a problem document (RFC 9457), or in the form that clients of geolocation services read: status,
 * headers, and the error for a request without a route; a browser whose sign-on failed goes to the sign-in page. No other wing writes an error reply. May import `ground` only.
 */
@Module({
  providers: [
    {
      provide: APP_FILTER,
      useFactory: (settings: Settings, logger: Logger) =>
        new ProblemFilter(settings.PUBLIC_URL, settings.DASHBOARD, logger),
      inject: [SETTINGS, LOGGER],
    },
  ],
})
export class ProblemsModule {}
