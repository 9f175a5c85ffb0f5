import { z } from 'zod'
import { withAsciiDomain } from './text/ascii-domain.js'
import { humanText } from './text/human-text.js'

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

/** A name for people: 1–128 characters ({@link humanText}). */
export const Name = humanText(128)

/** The name of a service, and of its NATS user. */
export const ServiceName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)

/** A moment: RFC 3339 with any offset, read as UTC. */
export const Timestamp = z
  .string()
  .check(
    z.overwrite((text) => text.toUpperCase()),
    z.iso.datetime({ offset: true, abort: true }),
    z.overwrite(inUtc),
  )
  // Postgres has no year 0, and RFC 3339 no year 10000.
  .refine((text) => /^(?!0000)\d{4}-/.test(text), 'must be in the years 1 to 9999')
  .meta({ example: '2026-01-31T09:00:00.000Z' })

/** Returns a moment in UTC. Most are. */
function inUtc(text: string): string {
  if (text.endsWith('Z')) return text
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString()
}

/** The longest grace period of a replaced credential, in seconds: seven days. */
export const MAX_GRACE_SECONDS = 7 * 24 * 3600

/** The default of tokens and webhook secrets, at every door: a day, so that a request without a grace period locks nobody out. */
export const DEFAULT_GRACE_SECONDS = 24 * 3600

/** The default of project keys: the longest, because some devices send once a week. */
export const PROJECT_KEY_GRACE_SECONDS = 7 * DEFAULT_GRACE_SECONDS

/** Returns the schema of a replaced credential's grace period, in seconds; 0: it stops immediately. */
export const graceSeconds = (byDefault: number) =>
  z
    .int()
    .min(0)
    .max(MAX_GRACE_SECONDS)
    .default(byDefault)
    .describe(`0: the old one stops working immediately (default: ${String(byDefault / 86_400)} d).`)

/** Names a call whose reply shows a secret once: the same call again, within 24 hours, changes nothing and has the same reply. */
export const IdempotencyKey = {
  idempotency_key: z
    .string()
    .min(1)
    .max(255)
    .nullish()
    .describe(
      'As the header `Idempotency-Key`: the same request again within 24 hours changes nothing and receives the same reply, with its secret. Use a random text for each request.',
    ),
}

/** Atoms of RFC 5321 with dots between them. */
const LOCAL_PART = String.raw`[\w!#$%&'*+/=?^\x60{|}~-]+(?:\.[\w!#$%&'*+/=?^\x60{|}~-]+)*`
/** A label of letters, digits and hyphens, the latter at neither end. */
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
/** Letters, or an internationalized one (`xn--…`). */
const TOP_LEVEL = '(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])'

/** An email address, at most 254 characters (RFC 5321), in lower case and with the domain in ASCII form: accounts are found however it is written. */
export const Email = z
  .string()
  .check(
    z.overwrite(withAsciiDomain),
    z.email({ pattern: new RegExp(`^${LOCAL_PART}@(?:${LABEL}\\.)+${TOP_LEVEL}$`), abort: true }),
  )
  .max(254)
  .refine((email) => email.indexOf('@') <= 64, 'must have at most 64 characters before the @')
  .transform((email) => email.toLowerCase())

/** Returns an input field that may be left out, and that null leaves out: for fields that an output writes as null. */
export function orNull<Field extends z.ZodType>(field: Field) {
  return field
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()
}

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
