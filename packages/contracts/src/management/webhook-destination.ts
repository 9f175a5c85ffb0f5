import { z } from 'zod'

/** The kinds of destinations. All but the first receive what devices send, and nothing else. */
export const WEBHOOK_KINDS = ['webhook', 'ndjson', 's3', 'device_api'] as const

/** A destination that is no plain webhook, with the credentials for it, which are never shown. */
export const WebhookDestination = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('ndjson') })
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
  ])
  .meta({ id: 'WebhookDestination' })
export type WebhookDestination = z.infer<typeof WebhookDestination>
