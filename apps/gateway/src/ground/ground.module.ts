import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { Global, Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { CompressedBytes } from './limits/compressed-bytes.js'
import { FailedCredentials } from './limits/failed-credentials.js'
import { RequestQuotas } from './limits/request-quotas.js'

/**
 * Providers for all other wings: the rate limits of the process (`limits/`), the configuration that a route of the table
 * gives its Fastify route, the metadata of a request that calls to services carry, and random bytes. It imports no wing.
 */
@Global()
@Module({
  providers: [
    {
      provide: RateLimits,
      useFactory: (settings: Settings, logger: Logger, metrics: Metrics) =>
        RateLimits.open(settings.REDIS_URL, logger, metrics),
      inject: [SETTINGS, LOGGER, Metrics],
    },
    {
      provide: FailedCredentials,
      useFactory: (settings: Settings, limits: RateLimits) =>
        new FailedCredentials(limits, settings.FAILED_CREDENTIALS_PER_ADDRESS),
      inject: [SETTINGS, RateLimits],
    },
    {
      provide: RequestQuotas,
      useFactory: (settings: Settings, limits: RateLimits) =>
        new RequestQuotas(limits, {
          credential: settings.REQUESTS_PER_CREDENTIAL,
          organization: settings.REQUESTS_PER_ORGANIZATION,
          anonymous: settings.REQUESTS_OF_STRANGERS,
        }),
      inject: [SETTINGS, RateLimits],
    },
    CompressedBytes,
  ],
  exports: [RateLimits, CompressedBytes, FailedCredentials, RequestQuotas],
})
export class GroundModule {}
