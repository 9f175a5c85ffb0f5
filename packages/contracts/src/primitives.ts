import { z } from 'zod'

/** A UUID; version 7 if Bearing created it (RFC 9562). Converted to lower case, because ids are compared as text. */
export const Id = z.uuid().toLowerCase()

/** The slug of an organization or project: 1–64 of a–z, 0–9 and "-", not at either end. */
export const Slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
    'must be 1 to 64 lower-case letters, digits and "-", and start and end with a letter or digit',
  )
  .meta({ id: 'Slug', example: 'acme' })

/**
 * Text for people without control characters, which could forge lines in a terminal or a log, and without bidirectional
 * controls (Unicode `Bidi_Control`), which could reorder the text around it.
 */
export const HUMAN_TEXT = /^[^\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u
/** The message for other text. */
export const NOT_HUMAN_TEXT = 'must not contain control characters, nor controls of text direction'

/** A name for people: 1–128 characters, no control characters, no space at either end. */
export const Name = z.string().trim().min(1).max(128).regex(HUMAN_TEXT, NOT_HUMAN_TEXT)

/** The name of a service, and of its NATS user. */
export const ServiceName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)

/** A moment, RFC 3339 in UTC. */
export const Timestamp = z.iso
  .datetime()
  // Postgres has no year 0.
  .refine((text) => !text.startsWith('0000'), 'must be in year 1 or later')
  .meta({ example: '2026-01-31T09:00:00.000Z' })

/** The longest grace period of a replaced credential, in seconds: seven days. */
export const MAX_GRACE_SECONDS = 7 * 24 * 3600

/** The default of tokens and webhook secrets, at every door: a day, so that a request without a grace period locks nobody out. */
export const DEFAULT_GRACE_SECONDS = 24 * 3600

/** The default of project keys: the longest, because some devices send once a week. */
export const PROJECT_KEY_GRACE_SECONDS = MAX_GRACE_SECONDS

/** How long a replaced credential continues to work, in seconds; 0: it stops immediately. */
export const graceSeconds = (byDefault: number) =>
  z
    .int()
    .min(0)
    .max(MAX_GRACE_SECONDS)
    .default(byDefault)
    .describe(`0: the old one stops working immediately (default: ${String(byDefault / 86_400)} d).`)

/** An email address, at most 254 characters (RFC 5321), in lower case: accounts are found regardless of case. */
export const Email = z
  .email()
  .max(254)
  .transform((email) => email.toLowerCase())

/** An empty object, for operations without input or output. */
export const Nothing = z.object({})

/** The largest page of a list. Existing clients request 5,000 or 10,000 items and never a second page. */
export const MAX_PER_PAGE = 10_000

/** Input fields of every list. */
export const PageRequest = {
  page: z.int().min(1).max(1_000_000).default(1),
  per_page: z.int().min(1).max(MAX_PER_PAGE).default(100),
}

/** The position of a page in its list. */
export const Paging = z
  .object({
    page: z.int().min(1),
    per_page: z.int().min(1),
    page_count: z.int().min(0),
    item_count: z.int().min(0),
    total_count: z.int().min(0),
  })
  .meta({ id: 'Paging' })
export type Paging = z.infer<typeof Paging>

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), paging: Paging })
}

/** @param totalCount items of the whole list */
export function page<Item>(
  items: readonly Item[],
  totalCount: number,
  request: { readonly page: number; readonly per_page: number },
): { data: Item[]; paging: Paging } {
  return {
    data: [...items],
    paging: {
      page: request.page,
      per_page: request.per_page,
      page_count: Math.ceil(totalCount / request.per_page),
      item_count: items.length,
      total_count: totalCount,
    },
  }
}

/** Scope of an operation on an organization. */
export const OrganizationScope = { organization_id: Id }
/** Scope of an operation on a project. */
export const ProjectScope = { organization_id: Id, project_id: Id }
