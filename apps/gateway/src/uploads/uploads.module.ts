import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { Forwarding } from '../forward/forward.js'
import { ForwardModule } from '../forward/forward.module.js'
import { CompressedBytes } from '../ground/limits/compressed-bytes.js'
import { FailedCredentials } from '../ground/limits/failed-credentials.js'
import { RequestQuotas } from '../ground/limits/request-quotas.js'
import { ByteRoutes } from './byte-routes.js'
import { DownloadFileRoute } from './download-file-route.js'
import { PrepareDeviceUploadRoute, PrepareUploadRoute } from './prepare-routes.js'

/**
 * Uploads and downloads of files of any size, part by part: at most one part of each upload is in memory, and a limit with
 * fair shares bounds how many run at the same time. The parts are stored by management, or the client sends them to an S3
 * bucket. May import `forward` and lower wings.
 */
@Module({
  imports: [ForwardModule],
  controllers: [PrepareDeviceUploadRoute, PrepareUploadRoute, DownloadFileRoute],
  providers: [
    {
      provide: ByteRoutes,
      useFactory: (
        forwarding: Forwarding,
        failures: FailedCredentials,
        quotas: RequestQuotas,
        compressed: CompressedBytes,
        settings: Settings,
      ) => new ByteRoutes(forwarding, failures, quotas, compressed, settings),
      inject: [Forwarding, FailedCredentials, RequestQuotas, CompressedBytes, SETTINGS],
    },
  ],
  exports: [ByteRoutes],
})
export class UploadsModule {}
