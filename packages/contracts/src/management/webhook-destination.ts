import { z } from 'zod'

/** The kinds of destinations. All but the first receive what devices send, or the audit log, and nothing else. */
export const WEBHOOK_KINDS = ['webhook', 'ndjson', 's3', 'device_api', 'syslog'] as const

/** The event of rows of the audit log of the organization, in batches: only destinations have it, and it needs `audit-log:read`. */
export const AUDIT_EVENT = 'audit_log.recorded'

/** Beside {@link AUDIT_EVENT}: the rows of all organizations and of none. Only an operator gives it. */
export const ALL_AUDIT_EVENT = 'audit_log.recorded_anywhere'

/** Forms of the audit log in destinations. */
export const AUDIT_FORMATS = ['json', 'ocsf'] as const

const Format = z
  .enum(AUDIT_FORMATS)
  .default('json')
  .describe('Form of the audit log: rows as in its export, or events of OCSF.')

const Contents = {
  source: z
    .enum(['device_data', 'audit_log'])
    .default('device_data')
    .describe(
      '`audit_log`: the audit log of the organization, from its first row. It needs `audit-log:read`.',
    ),
  format: Format,
}

/** A destination that is no plain webhook, with the credentials for it, which are never shown. */
export const WebhookDestination = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('ndjson'), ...Contents })
      .meta({ title: 'Lines of JSON, compressed by gzip, signed like a webhook' }),
    z
      .object({
        kind: z.literal('s3'),
        region: z
          .string()
          .regex(/^[a-z0-9-]{1,64}$/)
          .describe('Region of the bucket.')
          .meta({ example: 'eu-central-1' }),
        access_key_id: z
          .string()
          .regex(/^[\x21-\x7e]{1,128}$/)
          .describe('Id of an access key that may write objects below the prefix.'),
        secret_access_key: z
          .string()
          .regex(/^[\x21-\x7e]{1,256}$/)
          .describe('Its secret. It is never shown again.'),
        ...Contents,
        object_lock_days: z
          .int()
          .min(1)
          .max(36_500)
          .optional()
          .describe(
            'Days for which an object of the audit log cannot be deleted or replaced (object lock in compliance mode). The bucket must have object lock.',
          ),
      })
      .meta({
        title: 'Objects in a bucket; the URL is that of the server, followed by the bucket and a prefix',
      }),
    z
      .object({
        kind: z.literal('device_api'),
        project_key: z
          .string()
          .regex(/^[\x21-\x7e]{1,256}$/)
          .describe('The project key of the other service.'),
        project_key_header: z
          .string()
          .regex(/^[A-Za-z0-9-]{1,64}$/)
          .default('Service-Project-Key')
          .describe('The name of the header that the other service expects the project key in.'),
      })
      .meta({ title: 'The device API of another service; the URL is what comes before `/api/v0`' }),
    z
      .object({
        kind: z.literal('syslog'),
        format: Format,
        ca_certificate: z
          .string()
          .max(16_384)
          .optional()
          .describe('Certificate of the CA of the receiver in PEM, if it is not a public one.'),
      })
      .meta({
        title: 'The audit log for a receiver of syslog (RFC 5424) over TLS; the URL is `tls://host:port`',
      }),
  ])
  .meta({ id: 'WebhookDestination' })
export type WebhookDestination = z.infer<typeof WebhookDestination>
