import { Clock } from '@bearing/service/ground/clock'
import { IdempotentCalls } from '@bearing/service/store/idempotent-calls'
import { Metrics } from '@bearing/service/observe/metrics'
import { Randomness } from '@bearing/service/ground/randomness'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { SecretBox } from '@bearing/service/store/secret-box'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { FeedModule } from '../feed/feed.module.js'
import { StorageModule } from '../storage/storage.module.js'
import { Database } from '../ground/database.js'
import { AuditDeliveries } from './audit-deliveries.js'
import { ChangeWebhook } from './change-webhook.js'
import { CreateAuditSink } from './create-audit-sink.js'
import { CreateWebhook } from './create-webhook.js'
import { DataDeliveries } from './data-deliveries.js'
import { DeleteWebhook } from './delete-webhook.js'
import { DeliveryWorker } from './delivery-worker.js'
import { DueDeliveries } from './due-deliveries.js'
import { EnqueueDeliveries } from './enqueue-deliveries.js'
import { ForwardFile } from './forward-file.js'
import { ListWebhookDeliveries } from './list-webhook-deliveries.js'
import { ListWebhooks } from './list-webhooks.js'
import { LocationConsumer } from './location-consumer.js'
import { NewWebhook } from './new-webhook.js'
import { QueueBatch } from './queue-batch.js'
import { RecordAttempt } from './record-attempt.js'
import { RedeliverWebhook } from './redeliver-webhook.js'
import { RotateWebhook } from './rotate-webhook.js'
import { SendAudit } from './send-audit.js'
import { SendData } from './send-data.js'
import { SendDelivery } from './send-delivery.js'
import { ShowWebhook } from './show-webhook.js'
import { ShowWebhookUsage } from './show-webhook-usage.js'
import { SweepDeliveries } from './sweep-deliveries.js'
import { TestLimit } from './test-limit.js'
import { TestWebhook } from './test-webhook.js'
import { TokenNoticeConsumer } from './token-notice-consumer.js'
import { WebhookHttp } from './webhook-http.js'
import { WebhookSecrets } from './webhook-secrets.js'

/** Added to the time-out of an attempt for its lease, in milliseconds: time to record the outcome. */
const LEASE_MARGIN_MS = 20_000

/**
 * Webhooks of projects and their deliveries: management, signing, sending, retries and pausing. Higher wings enqueue events
 * in their own transactions through {@link EnqueueDeliveries}. It imports `feed`, `storage`, `tenancy` and `ground`.
 */
@Module({
  imports: [FeedModule, StorageModule],
  controllers: [
    ChangeWebhook,
    CreateAuditSink,
    CreateWebhook,
    DeleteWebhook,
    ListWebhookDeliveries,
    ListWebhooks,
    RedeliverWebhook,
    RotateWebhook,
    ShowWebhook,
    ShowWebhookUsage,
    TestWebhook,
  ],
  providers: [
    AuditDeliveries,
    DataDeliveries,
    DeliveryWorker,
    EnqueueDeliveries,
    ForwardFile,
    IdempotentCalls,
    LocationConsumer,
    NewWebhook,
    QueueBatch,
    SendAudit,
    SendData,
    SendDelivery,
    SweepDeliveries,
    TestLimit,
    TokenNoticeConsumer,
    WebhookSecrets,
    {
      provide: DueDeliveries,
      useFactory: (settings: Settings, database: Database, clock: Clock) =>
        new DueDeliveries(database, clock, settings.WEBHOOK_TIMEOUT_MS + LEASE_MARGIN_MS),
      inject: [SETTINGS, Database, Clock],
    },
    {
      provide: RecordAttempt,
      useFactory: (settings: Settings, database: Database, clock: Clock, randomness: Randomness) =>
        new RecordAttempt(database, clock, randomness, {
          delaysMs: settings.WEBHOOK_RETRY_DELAYS_S.map((seconds) => seconds * 1_000),
          pauseAfterMs: settings.WEBHOOK_PAUSE_AFTER_S * 1_000,
        }),
      inject: [SETTINGS, Database, Clock, Randomness],
    },
    {
      provide: WebhookHttp,
      useFactory: (settings: Settings, metrics: Metrics) =>
        new WebhookHttp(
          settings.WEBHOOK_PRIVATE_RANGES,
          settings.WEBHOOK_TIMEOUT_MS,
          metrics.outgoing('webhook'),
        ),
      inject: [SETTINGS, Metrics],
    },
    {
      provide: SecretBox,
      useFactory: (settings: Settings, randomness: Randomness) =>
        new SecretBox(settings.MANAGEMENT_SECRET_KEYS, randomness.bytes),
      inject: [SETTINGS, Randomness],
    },
  ],
  exports: [AuditDeliveries, EnqueueDeliveries],
})
export class WebhooksModule {}
