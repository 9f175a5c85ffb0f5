import type { Msg } from '@nats-io/transport-node'
import type { Connection } from '../connection.js'
import { isCall } from '../permissions/genuine.js'
import { ResilientSubscription } from '../resilient-subscription.js'
import { DISCOVERY } from '../permissions/inboxes.js'

/** Statistics of one endpoint since the start. Times are in nanoseconds, as ADR-32 wants them. */
export interface EndpointStatistics {
  readonly subject: string
  requests: number
  errors: number
  lastError: string
  processingNs: number
}

/** A service as others on NATS see it. */
export interface ServiceIdentity {
  /** Name of the service, and its queue group. */
  readonly name: string
  /** Id of this process. */
  readonly id: string
  readonly version: string
  readonly description: string
}

/**
 * Answers `$SRV.PING`, `$SRV.INFO` and `$SRV.STATS` for all services, for this service and for this process (NATS
 * services convention, ADR-32), so that `nats service ls|info|stats` knows it. Written here because the published
 * client library for it does not fit the current transport.
 *
 * @param report returns the report of the process, as `report` of `$SRV.STATS`
 */
export function answerDiscovery(
  connection: Connection,
  service: ServiceIdentity,
  endpoints: readonly EndpointStatistics[],
  started: Date,
  report: () => Promise<object>,
): ResilientSubscription[] {
  const about = { name: service.name, id: service.id, version: service.version, metadata: {} }
  const replies = {
    PING: () => ({ type: 'io.nats.micro.v1.ping_response', ...about }),
    INFO: () => ({
      type: 'io.nats.micro.v1.info_response',
      ...about,
      description: service.description,
      endpoints: endpoints.map(({ subject }) => ({
        name: endpointName(subject),
        subject,
        queue_group: service.name,
        metadata: null,
      })),
    }),
    STATS: async () => ({
      type: 'io.nats.micro.v1.stats_response',
      ...about,
      started: started.toISOString(),
      report: await report().catch(() => null),
      endpoints: endpoints.map((endpoint) => ({
        name: endpointName(endpoint.subject),
        subject: endpoint.subject,
        queue_group: service.name,
        num_requests: endpoint.requests,
        num_errors: endpoint.errors,
        last_error: endpoint.lastError,
        processing_time: Math.round(endpoint.processingNs),
        average_processing_time: Math.round(endpoint.processingNs / Math.max(1, endpoint.requests)),
      })),
    }),
  }
  return Object.entries(replies).flatMap(([verb, reply]) =>
    [`$SRV.${verb}`, `$SRV.${verb}.${service.name}`, `$SRV.${verb}.${service.name}.${service.id}`].map(
      (subject) =>
        new ResilientSubscription(connection, subject, {
          received: (message) => {
            if (isCall(message, subject, DISCOVERY)) void respond(message, reply)
          },
        }),
    ),
  )
}

async function respond(message: Msg, reply: () => object | Promise<object>): Promise<void> {
  message.respond(JSON.stringify(await reply()))
}

/** Endpoint names may hold letters, digits, "-" and "_". */
function endpointName(subject: string): string {
  return subject.replaceAll('.', '_')
}
