import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { Database } from '../ground/database.js'
import { StorageModule } from '../storage/storage.module.js'
import { Storages } from '../storage/storage.js'
import { TenancyModule } from '../tenancy/tenancy.module.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'
import { DeleteFile } from './delete-file.js'
import { DownloadFile } from './download-file.js'
import { ListCoredumps } from './list-coredumps.js'
import { ListFiles } from './list-files.js'
import { ShowFile } from './show-file.js'
import { SweepFiles } from './sweep-files.js'
import { CommitSymbols } from './symbols/commit-symbols.js'
import { FindSymbols } from './symbols/find-symbols.js'
import { AbandonUpload } from './uploads/abandon-upload.js'
import { AppendUpload } from './uploads/append-upload.js'
import { CommitFile } from './uploads/commit-file.js'
import { CommitUpload } from './uploads/commit-upload.js'
import { CreateFile } from './uploads/create-file.js'
import { FindUpload } from './uploads/find-upload.js'
import { OpenUpload } from './uploads/open-upload.js'
import { PrepareUpload } from './uploads/prepare-upload.js'
import { ReceiveUpload } from './uploads/receive-upload.js'
import { ReceivedObjects } from './uploads/received-objects.js'
import { RecordDevice } from './uploads/record-device.js'
import { SweepUploads } from './uploads/sweep-uploads.js'
import { UploadLimits } from './uploads/upload-limits.js'
import { UploadTokens } from './uploads/upload-tokens.js'

/**
 * Files of projects, such as coredumps and symbols: uploads, commits, quotas and retention.
 * `erasure` removes the files of a device. It imports `ingest`, `webhooks`, `storage`,
 * `tenancy` and `ground`.
 */
@Module({
  imports: [StorageModule, TenancyModule, WebhooksModule],
  controllers: [
    AbandonUpload,
    AppendUpload,
    CommitSymbols,
    CommitUpload,
    DeleteFile,
    DownloadFile,
    FindSymbols,
    FindUpload,
    ListCoredumps,
    ListFiles,
    OpenUpload,
    PrepareUpload,
    ReceiveUpload,
    ShowFile,
  ],
  providers: [
    CommitFile,
    CreateFile,
    ReceivedObjects,
    RecordDevice,
    {
      provide: UploadTokens,
      useFactory: (settings: Settings, clock: Clock) =>
        new UploadTokens(settings.MANAGEMENT_SECRET_KEYS, clock),
      inject: [SETTINGS, Clock],
    },
    {
      provide: UploadLimits,
      useFactory: (settings: Settings) =>
        new UploadLimits(
          settings.UPLOAD_MAX_BYTES,
          Math.floor(settings.ORGANIZATION_FILES_MAX_BYTES * settings.PROJECT_FILES_SHARE) || Infinity,
          settings.ORGANIZATION_FILES_MAX_BYTES || Infinity,
          creatorLimit(settings),
        ),
      inject: [SETTINGS],
    },
    SweepFiles,
    {
      provide: SweepUploads,
      useFactory: (
        settings: Settings,
        database: Database,
        storages: Storages,
        clock: Clock,
        logger: Logger,
      ) =>
        new SweepUploads(database, storages, clock, logger, {
          retentionMs: settings.UPLOAD_KEPT_MS,
          // Once a minute for the default of a day.
          intervalMs: Math.min(Math.max(settings.UPLOAD_KEPT_MS / 1_440, 100), 60_000),
        }),
      inject: [SETTINGS, Database, Storages, Clock, LOGGER],
    },
  ],
  exports: [UploadLimits],
})
export class FilesModule {}

/** Only users who create organizations could use the quotas of several. */
function creatorLimit(settings: Settings): number {
  if (settings.ORGANIZATION_CREATION === 'operators') return Infinity
  return Math.floor(settings.ORGANIZATION_FILES_MAX_BYTES * settings.CREATOR_FILES_SHARE) || Infinity
}
