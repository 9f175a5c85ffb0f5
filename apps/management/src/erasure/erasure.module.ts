import { DAY_MS } from '@bearing/contracts/durations'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { FeedModule } from '../feed/feed.module.js'
import { FilesModule } from '../files/files.module.js'
import { IngestModule } from '../ingest/ingest.module.js'
import { StorageModule } from '../storage/storage.module.js'
import { DeleteDevice } from './delete-device.js'
import { EraseDevice } from './erase-device.js'
import { DeleteDevices } from './many/delete-devices.js'
import { PreviewDeviceDeletion } from './many/preview-device-deletion.js'
import { RunDeviceDeletions } from './many/run-device-deletions.js'
import { ShowDeviceDeletion } from './many/show-device-deletion.js'
import { StopDeviceDeletion } from './many/stop-device-deletion.js'
import { ConfirmDeletion } from './tenants/confirm-deletion.js'
import { DeleteOrganization } from './tenants/delete-organization.js'
import { DeleteProject } from './tenants/delete-project.js'
import { DeletionJob } from './tenants/deletion-job.js'
import { DELETION_SETTINGS, type DeletionSettings } from './tenants/deletion-settings.js'
import { Deletions } from './tenants/deletions.js'
import { EraseOrganization } from './tenants/erase-organization.js'
import { EraseAgain } from './tenants/erase-again.js'
import { EraseOwnData } from './tenants/erase-own-data.js'
import { EraseProject } from './tenants/erase-project.js'
import { EraseTenant } from './tenants/erase-tenant.js'
import { ListDeletedOrganizations } from './tenants/list-deleted-organizations.js'
import { ListDeletedProjects } from './tenants/list-deleted-projects.js'
import { RestoreOrganization } from './tenants/restore-organization.js'
import { RestoreProject } from './tenants/restore-project.js'
import { ShowOrganizationDeletion } from './tenants/show-organization-deletion.js'
import { ShowProjectDeletion } from './tenants/show-project-deletion.js'

/**
 * Deletion and erasure: of a device with everything stored about it, of all devices that match a filter (`many`), and of
 * organizations and projects in all services (`tenants`). It may touch the data of every wing, so it is at the top and imports
 * all of them.
 */
@Module({
  imports: [FeedModule, FilesModule, IngestModule, StorageModule],
  controllers: [
    DeleteDevice,
    ...[DeleteDevices, PreviewDeviceDeletion, ShowDeviceDeletion, StopDeviceDeletion],
    ...[DeleteOrganization, RestoreOrganization, EraseOrganization, ShowOrganizationDeletion],
    ...[DeleteProject, RestoreProject, EraseProject, ShowProjectDeletion],
    ...[ListDeletedOrganizations, ListDeletedProjects],
  ],
  providers: [
    EraseDevice,
    RunDeviceDeletions,
    ...[ConfirmDeletion, DeletionJob, Deletions, EraseAgain, EraseOwnData, EraseTenant],
    {
      provide: DELETION_SETTINGS,
      useFactory: (settings: Settings): DeletionSettings => ({
        keptMs: settings.DELETED_KEPT_DAYS * DAY_MS,
        settleMs: settings.ERASURE_SETTLE_S * 1_000,
        leaseMs: settings.ERASURE_LEASE_S * 1_000,
      }),
      inject: [SETTINGS],
    },
  ],
})
export class ErasureModule {}
