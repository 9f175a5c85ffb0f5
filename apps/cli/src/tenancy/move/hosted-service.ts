import { backoffMs } from '@bearing/contracts/durations'
import { UsageError } from '../../ground/usage-error.js'

/** As many as the service gives in one reply. */
const PER_PAGE = 100
const ATTEMPTS = 6
const MAX_WAIT_MS = 60_000
const BACKOFF = { firstMs: 500, maxMs: MAX_WAIT_MS }
const TIMEOUT_MS = 30_000
/** Requests for attributes of devices that run concurrently. */
const CONCURRENT = 5

type Json = Readonly<Record<string, unknown>>

/** A project of the service. */
export interface HostedProject {
  readonly slug: string
  readonly name: string
}

/** A device of the service, with its attributes by their names there. */
export interface HostedDevice {
  readonly serial: string
  readonly nickname: string | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

/** One page of devices, and the number of pages. */
export interface HostedPage {
  readonly devices: readonly HostedDevice[]
  readonly pages: number
}

/**
 * Reads an organization of the hosted service by its public API: lists have `data` and `paging`, and requests have an organization
 * auth token.
 */
export class HostedService {
  constructor(
    private readonly url: string,
    private readonly organization: string,
    private readonly token: string,
    private readonly signal: AbortSignal,
  ) {}

  async projects(): Promise<HostedProject[]> {
    const all: HostedProject[] = []
    for (let page = 1, pages = 1; page <= pages; page++) {
      const reply = await this.get(`projects?page=${String(page)}&per_page=${String(PER_PAGE)}`)
      all.push(...rowsOf(reply).map((row) => ({ slug: textOf(row, 'slug'), name: textOf(row, 'name') })))
      pages = pagesOf(reply)
    }
    return all
  }

  /** Returns the key that the devices of a project send. */
  async projectKey(project: string): Promise<string> {
    const { data } = await this.get(`projects/${encodeURIComponent(project)}/api_key`)
    return textOf(isRecord(data) ? data : {}, 'api_key')
  }

  /** Returns a page of the devices of a project. Attributes take a request for each device. */
  async devices(project: string, page: number, withAttributes: boolean): Promise<HostedPage> {
    const path = `projects/${encodeURIComponent(project)}/devices`
    const reply = await this.get(`${path}?page=${String(page)}&per_page=${String(PER_PAGE)}`)
    const rows = rowsOf(reply)
    const devices: HostedDevice[] = []
    for (let first = 0; first < rows.length; first += CONCURRENT)
      devices.push(
        ...(await Promise.all(
          rows.slice(first, first + CONCURRENT).map((row) => this.device(path, row, withAttributes)),
        )),
      )
    return { devices, pages: pagesOf(reply) }
  }

  private async device(path: string, row: Json, withAttributes: boolean): Promise<HostedDevice> {
    const serial = textOf(row, 'device_serial')
    const cohort = isRecord(row['cohort']) ? row['cohort']['slug'] : undefined
    const reply = withAttributes ? await this.get(`${path}/${encodeURIComponent(serial)}/attributes`) : {}
    return {
      serial,
      nickname: typeof row['nickname'] === 'string' && row['nickname'] !== '' ? row['nickname'] : undefined,
      attributes: {
        ...(typeof cohort === 'string' && { cohort }),
        ...Object.fromEntries(rowsOf(reply).flatMap(attributeOf)),
      },
    }
  }

  private async get(path: string): Promise<Json> {
    const url = `${this.url}/api/v0/organizations/${encodeURIComponent(this.organization)}/${path}`
    for (let failures = 1; ; failures++) {
      const reply = await fetch(url, {
        headers: { authorization: `Bearer ${this.token}`, accept: 'application/json' },
        redirect: 'error',
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      }).catch((error: unknown) => error as Error)
      if (reply instanceof Response && reply.ok) return recordOf(await reply.json())
      const isTransient = !(reply instanceof Response) || reply.status === 429 || reply.status >= 500
      if (!isTransient || failures === ATTEMPTS || this.signal.aborted) throw refusalOf(reply, url)
      const asked =
        reply instanceof Response ? 1_000 * Number(reply.headers.get('retry-after') ?? Number.NaN) : 0
      const waitMs = asked > 0 ? Math.min(asked, MAX_WAIT_MS) : backoffMs(failures, BACKOFF)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

function refusalOf(reply: Response | Error, url: string): UsageError {
  if (!(reply instanceof Response)) return new UsageError(`${url} cannot be reached (${reply.name}).`)
  const isDenied = reply.status === 401 || reply.status === 403
  return new UsageError(
    `The hosted service answered ${String(reply.status)} to ${url}.`,
    isDenied ? 'Use an organization auth token of the service, which an admin there creates.' : undefined,
  )
}

/** An attribute and its value; nothing if it has none. */
function attributeOf(row: Json): [string, string | number | boolean][] {
  const metric = isRecord(row['custom_metric']) ? row['custom_metric'] : row
  const state = isRecord(row['state']) ? row['state'] : row
  const [key, value] = [metric['string_key'], state['value']]
  if (typeof key !== 'string') return []
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [[key, value]]
    : []
}

function rowsOf({ data }: Json): Json[] {
  return Array.isArray(data) ? data.filter(isRecord) : []
}

function pagesOf({ paging }: Json): number {
  const pages = isRecord(paging) ? paging['page_count'] : undefined
  return typeof pages === 'number' ? pages : 1
}

function textOf(row: Json, field: string): string {
  const text = row[field]
  if (typeof text === 'string') return text
  throw new UsageError(`The reply of the hosted service has no "${field}".`)
}

function recordOf(value: unknown): Json {
  if (isRecord(value)) return value
  throw new UsageError('The reply of the hosted service is no JSON object.')
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
