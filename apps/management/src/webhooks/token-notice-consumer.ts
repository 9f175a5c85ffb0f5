import { deviceKeyNotice } from '@bearing/contracts/identity/devices/device-key'
import { organizationTokenNotice } from '@bearing/contracts/identity/tokens/organization-token'
import type { EventData } from '@bearing/contracts/operation'
import { TOKEN_NOTICE_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { WorkQueue, type QueuedMessage } from '@bearing/nats/work-queue'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common'
import { Database, type Transaction } from '../ground/database.js'
import { EnqueueDeliveries, type ProjectEvent } from './enqueue-deliveries.js'

const EVENT = 'organization_token.expiring'

type Notice = EventData<typeof organizationTokenNotice> | KeyNotice
type KeyNotice = EventData<typeof deviceKeyNotice>

/** Enqueues deliveries for organization tokens that are about to expire and for keys of devices, which identity publishes. Any number of processes may run it. */
@Injectable()
export class TokenNoticeConsumer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly queue: WorkQueue

  constructor(
    connection: Connection,
    private readonly database: Database,
    private readonly enqueue: EnqueueDeliveries,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.queue = new WorkQueue(
      connection,
      TOKEN_NOTICE_STREAM,
      'management',
      (batch) => this.consume(batch),
      warnSeldom(logger, 'notices of tokens and keys cannot be processed and stay in their queue; retrying'),
    )
  }

  onApplicationBootstrap(): void {
    this.queue.start()
  }

  onModuleDestroy(): Promise<void> {
    return this.queue.stop()
  }

  private async consume(batch: readonly QueuedMessage[]): Promise<void> {
    const notices = batch.flatMap((message) => {
      const notice = readNotice(message)
      if (!notice)
        this.logger.error(
          { subject: message.subject },
          'a notice for webhooks is malformed and was discarded',
        )
      return notice ?? []
    })
    if (notices.length === 0) return
    await this.database.transaction(async (transaction) => {
      for (const notice of notices)
        await this.enqueue.execute(transaction, await eventsOf(transaction, notice, this.clock.now()))
    })
  }
}

/** Returns an event of a key for its project; of a token, for each project that it reaches and that has a webhook for it. */
async function eventsOf(transaction: Transaction, notice: Notice, at: Date): Promise<ProjectEvent[]> {
  if ('device_key_id' in notice) return [toKeyEvent(notice)]
  const { id, organization_id, organization_token_id, project_ids, expires_at, days_left } = notice
  const rows = await transaction.$queryRaw<{ project_id: string }[]>`
    SELECT DISTINCT webhook.project_id
    FROM projects project JOIN webhooks webhook ON webhook.project_id = project.id
    WHERE project.organization_id = ${organization_id}::uuid AND ${EVENT} = ANY (webhook.events)
      AND (${project_ids === null} OR webhook.project_id = ANY (${project_ids ?? []}::uuid[]))`
  return rows.map(({ project_id: projectId }) => ({
    id,
    type: EVENT,
    projectId,
    deviceSerial: null,
    at,
    data: { organization_token_id, expires_at, days_left },
  }))
}

function toKeyEvent({ id, type, project_id, device_serial, device_key_id, at }: KeyNotice): ProjectEvent {
  const data = { device_serial, device_key_id }
  return { id, type, projectId: project_id, deviceSerial: device_serial, at: new Date(at), data }
}

function readNotice({ subject, body }: QueuedMessage): Notice | undefined {
  const { data } = subject === deviceKeyNotice.subject ? deviceKeyNotice : organizationTokenNotice
  try {
    return data.safeParse(JSON.parse(Buffer.from(body).toString())).data
  } catch {
    return undefined
  }
}
