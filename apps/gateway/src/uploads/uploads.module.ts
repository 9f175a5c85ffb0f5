import { Module } from '@nestjs/common'
import { ForwardModule } from '../forward/forward.module.js'
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
  providers: [ByteRoutes],
  exports: [ByteRoutes],
})
export class UploadsModule {}
