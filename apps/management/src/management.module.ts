import { NatsClient } from '@bearing/nats/client'
import { Module, type DynamicModule } from '@nestjs/common'
import { ResolveAddress } from './tenancy/resolve-scope.js'
import { AuditLog } from './ground/audit/audit-log.js'
import { Clock } from '@bearing/service/clock'
import { Database } from './ground/database.js'
import { Connection } from '@bearing/nats/connection'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { ListChunks } from './ingest/chunks/list-chunks.js'
import { ReadChunk } from './ingest/chunks/read-chunk.js'
import { StoreMessages } from './ingest/chunks/store-messages.js'
import { ChangeDataPolicy } from './ingest/data-policy/change-data-policy.js'
import { FindDataPolicy } from './ingest/data-policy/find-data-policy.js'
import { ShowDataPolicy } from './ingest/data-policy/show-data-policy.js'
import { DeadLetterStream } from './ingest/dead-letters/dead-letter-stream.js'
import { ListDeadLetters } from './ingest/dead-letters/list-dead-letters.js'
import { ReplayDeadLetters } from './ingest/dead-letters/replay-dead-letters.js'
import { DeleteDevice } from './erasure/delete-device.js'
import { IsDeviceKnown } from './ingest/devices/is-device-known.js'
import { ListDevices } from './ingest/devices/list-devices.js'
import { RegisterDevice } from './ingest/devices/register-device.js'
import { ShowDevice } from './ingest/devices/show-device.js'
import { CreateOrganization } from './tenancy/organizations/create-organization.js'
import { ListOrganizations } from './tenancy/organizations/list-organizations.js'
import { CreatePartnerOrganization } from './tenancy/partner/create-partner-organization.js'
import { RequestPartnerLink } from './tenancy/partner/request-partner-link.js'
import { CreateProject } from './tenancy/projects/create-project.js'
import { OrganizationLimits } from './tenancy/organizations/organization-limits.js'
import { ListProjects } from './tenancy/projects/list-projects.js'
import { ShowProject } from './tenancy/projects/show-project.js'
import { Randomness } from '@bearing/service/randomness'
import { ListCoredumps } from './files/list-coredumps.js'
import { DeleteFile } from './files/delete-file.js'
import { DownloadFile } from './files/download-file.js'
import { ListFiles } from './files/list-files.js'
import { ShowFile } from './files/show-file.js'
import { CommitSymbols } from './files/symbols/commit-symbols.js'
import { FindSymbols } from './files/symbols/find-symbols.js'
import { AbandonUpload } from './files/uploads/abandon-upload.js'
import { AppendUpload } from './files/uploads/append-upload.js'
import { CommitUpload } from './files/uploads/commit-upload.js'
import { FindUpload } from './files/uploads/find-upload.js'
import { OpenUpload } from './files/uploads/open-upload.js'
import { PrepareUpload } from './files/uploads/prepare-upload.js'
import { ReceiveUpload } from './files/uploads/receive-upload.js'
import { Storages } from './files/storage/storage.js'
import { Commits } from './files/uploads/commit-file.js'
import { RecordEvents } from './webhooks/enqueue-deliveries.js'
import { ReceivedObjects } from './files/uploads/received-objects.js'
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
import { TestingWebhooks } from './webhooks/test-limit.js'
import { WebhookHttp } from './webhooks/webhook-http.js'
import { WebhookSecrets } from './webhooks/webhook-secrets.js'
import { ChunkQuotas } from './ingest/data-policy/chunk-quotas.js'
import { UploadLimits } from './files/uploads/upload-limits.js'
import { UploadTokens } from './files/uploads/upload-tokens.js'

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
