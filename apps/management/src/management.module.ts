import { NatsClient } from '@bearing/nats/client'
import { Module, type DynamicModule } from '@nestjs/common'
import { ResolveAddress } from './addresses/resolve-address.js'
import { AuditLog } from './audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database } from './database.js'
import { Connection } from '@bearing/nats/connection'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { ListChunks } from './chunks/list-chunks.js'
import { ReadChunk } from './chunks/read-chunk.js'
import { StoreMessages } from './chunks/store-messages.js'
import { ChangeDataPolicy } from './data-policy/change-data-policy.js'
import { FindDataPolicy } from './data-policy/find-data-policy.js'
import { ShowDataPolicy } from './data-policy/show-data-policy.js'
import { DeadLetterStream } from './dead-letters/dead-letter-stream.js'
import { ListDeadLetters } from './dead-letters/list-dead-letters.js'
import { ReplayDeadLetters } from './dead-letters/replay-dead-letters.js'
import { DeleteDevice } from './devices/delete-device.js'
import { IsDeviceKnown } from './devices/known-device.js'
import { ListDevices } from './devices/list-devices.js'
import { RegisterDevice } from './devices/register-device.js'
import { ShowDevice } from './devices/show-device.js'
import { CreateOrganization } from './organizations/create-organization.js'
import { ListOrganizations } from './organizations/list-organizations.js'
import { CreatePartnerOrganization } from './partner/create-partner-organization.js'
import { RequestPartnerLink } from './partner/request-partner-link.js'
import { CreateProject } from './projects/create-project.js'
import { OrganizationLimits } from './organizations/organization-limits.js'
import { ListProjects } from './projects/list-projects.js'
import { ShowProject } from './projects/show-project.js'
import { Randomness } from '@bearing/service/randomness'
import { ListCoredumps } from './coredumps/list-coredumps.js'
import { DeleteFile } from './files/delete-file.js'
import { DownloadFile } from './files/download-file.js'
import { ListFiles } from './files/list-files.js'
import { ShowFile } from './files/show-file.js'
import { CommitSymbols } from './symbols/commit-symbols.js'
import { FindSymbols } from './symbols/find-symbols.js'
import { AbandonUpload } from './uploads/abandon-upload.js'
import { AppendUpload } from './uploads/append-upload.js'
import { CommitUpload } from './uploads/commit-upload.js'
import { FindUpload } from './uploads/find-upload.js'
import { OpenUpload } from './uploads/open-upload.js'
import { PrepareUpload } from './uploads/prepare-upload.js'
import { ReceiveUpload } from './uploads/receive-upload.js'
import { Storages } from './storage/storage.js'
import { Commits } from './uploads/commits.js'
import { RecordEvents } from './webhooks/record-events.js'
import { ReceivedObjects } from './uploads/received-object.js'
import { AreDeviceLocationsWanted } from './webhooks/are-device-locations-wanted.js'
import { ChangeWebhook } from './webhooks/change-webhook.js'
import { CreateWebhook } from './webhooks/create-webhook.js'
import { DeleteWebhook } from './webhooks/delete-webhook.js'
import { ListWebhookDeliveries } from './webhooks/list-webhook-deliveries.js'
import { ListWebhooks } from './webhooks/list-webhooks.js'
import { RotateWebhook } from './webhooks/rotate-webhook.js'
import { SendDelivery } from './webhooks/send-delivery.js'
import { ShowWebhook } from './webhooks/show-webhook.js'
import { TestWebhook } from './webhooks/test-webhook.js'
import { TestingWebhooks } from './webhooks/testing-webhooks.js'
import { WebhookHttp } from './webhooks/webhook-http.js'
import { WebhookSecrets } from './webhooks/webhook-secrets.js'
import { ChunkQuotas } from './data-policy/chunk-quotas.js'
import { UploadLimits } from './uploads/upload-limits.js'
import { UploadTokens } from './uploads/upload-tokens.js'

/** What the operations work with, made once when the service starts. */
export interface Parts {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly database: Database
  readonly client: NatsClient
  readonly connection: Connection
  readonly relay: OutboxRelay
  readonly store: StoreMessages
  readonly organizationLimits: OrganizationLimits
  readonly storages: Storages
  readonly tokens: UploadTokens
  readonly limits: UploadLimits
  readonly chunkQuotas: ChunkQuotas
  readonly audit: AuditLog
  readonly events: RecordEvents
  readonly sender: SendDelivery
  readonly secrets: WebhookSecrets
  readonly http: WebhookHttp
}

/** The operations of the management service. */
@Module({
  controllers: [
    ResolveAddress,
    ListOrganizations,
    CreateOrganization,
    CreatePartnerOrganization,
    RequestPartnerLink,
    ListProjects,
    CreateProject,
    ShowProject,
    ListDevices,
    ShowDevice,
    RegisterDevice,
    DeleteDevice,
    IsDeviceKnown,
    ListChunks,
    ReadChunk,
    ShowDataPolicy,
    ChangeDataPolicy,
    FindDataPolicy,
    ListDeadLetters,
    ReplayDeadLetters,
    ListCoredumps,
    DeleteFile,
    DownloadFile,
    ListFiles,
    ShowFile,
    CommitSymbols,
    FindSymbols,
    AbandonUpload,
    AppendUpload,
    CommitUpload,
    FindUpload,
    OpenUpload,
    PrepareUpload,
    ReceiveUpload,
    ListWebhooks,
    ShowWebhook,
    CreateWebhook,
    ChangeWebhook,
    RotateWebhook,
    DeleteWebhook,
    TestWebhook,
    ListWebhookDeliveries,
    AreDeviceLocationsWanted,
  ],
  providers: [Commits, ReceivedObjects, TestingWebhooks],
})
export class ManagementModule {
  /** The module with its parts. */
  static with(parts: Parts): DynamicModule {
    return {
      module: ManagementModule,
      providers: [
        { provide: Clock, useValue: parts.clock },
        { provide: Randomness, useValue: parts.randomness },
        { provide: Database, useValue: parts.database },
        { provide: NatsClient, useValue: parts.client },
        { provide: Connection, useValue: parts.connection },
        { provide: OutboxRelay, useValue: parts.relay },
        { provide: StoreMessages, useValue: parts.store },
        { provide: OrganizationLimits, useValue: parts.organizationLimits },
        DeadLetterStream,
        { provide: Storages, useValue: parts.storages },
        { provide: UploadTokens, useValue: parts.tokens },
        { provide: UploadLimits, useValue: parts.limits },
        { provide: ChunkQuotas, useValue: parts.chunkQuotas },
        { provide: AuditLog, useValue: parts.audit },
        { provide: RecordEvents, useValue: parts.events },
        { provide: SendDelivery, useValue: parts.sender },
        { provide: WebhookSecrets, useValue: parts.secrets },
        { provide: WebhookHttp, useValue: parts.http },
      ],
    }
  }
}
